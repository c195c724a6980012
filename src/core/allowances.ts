/** How much text a record may hold, in bytes of UTF-8: the settings BINDERY_TEXT_KB and BINDERY_RECORD_TEXT_KB. */
export interface TextLimits {
  readonly textBytesMax: number;
  readonly recordTextBytesMax: number;
}

/** Bytes of a kilobyte, as the settings count them. */
const KILOBYTE = 1_000;

/** Defaults of the settings, in kilobytes. */
export const TEXT_KB_DEFAULT = 100;
export const RECORD_TEXT_KB_DEFAULT = 1_000;

export function textLimitsOf(settings: { readonly textKb: number; readonly recordTextKb: number }): TextLimits {
  const recordTextBytesMax = settings.recordTextKb * KILOBYTE;
  return { recordTextBytesMax, textBytesMax: Math.min(settings.textKb * KILOBYTE, recordTextBytesMax) };
}

export const TEXT_LIMITS_DEFAULT = textLimitsOf({ textKb: TEXT_KB_DEFAULT, recordTextKb: RECORD_TEXT_KB_DEFAULT });
