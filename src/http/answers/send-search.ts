import type { FastifyReply, FastifyRequest } from "fastify";
import type { PublicPart } from "../../core/feed/feed.js";
import { PRIVATE, sendJson, sendPublic } from "./reply.js";
import type { SearchBody } from "./search-answers.js";

/** Sends a page of hits to the one who asked. Nobody keeps it: also not a page for everybody that lacks changes. */
export function sendPrivateSearch(reply: FastifyReply, { bytes, link, behind }: SearchBody): FastifyReply {
  if (link !== "") reply.header("link", link);
  if (behind !== undefined) reply.header("bindery-index", `behind=${behind}`);
  return sendJson(reply.header("cache-control", PRIVATE).header("vary", "accept"), bytes);
}

/** Sends a page of hits that everybody gets. @param parts what it was made of */
export function sendPublicSearch(
  request: FastifyRequest,
  reply: FastifyReply,
  body: SearchBody,
  parts: readonly PublicPart[],
): FastifyReply {
  const { bytes, link, isUnsettled, behind } = body;
  if (behind !== undefined) return sendPrivateSearch(reply, body);
  return sendPublic(request, reply, { body: bytes, link, isNegotiated: true, parts: isUnsettled ? undefined : parts });
}
