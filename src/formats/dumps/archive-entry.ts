/** A file of an archive, still packed if it is packed itself. */
export interface ArchiveEntry {
  readonly name: string;
  readonly modified?: Date;
  readonly bytes: AsyncIterable<Buffer>;
}
