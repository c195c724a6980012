"""Searches items with tantivy in this process, for `in-process.ts`.

Arguments: a folder for the index, and two files of JSON lines: items ({"id", "text"}) and queries ({"name", "q"}). Prints
JSON: the seconds that indexing took, and for each name the milliseconds of its queries: exact total and the ten best ids.
"""

import json
import sys
import time

import tantivy


def main(folder: str, items_path: str, queries_path: str) -> None:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("text")
    index = tantivy.Index(builder.build(), path=folder)
    begun = time.perf_counter()
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    with open(items_path, encoding="utf-8") as items:
        for line in items:
            item = json.loads(line)
            writer.add_document(tantivy.Document(id=item["id"], text=item["text"]))
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.perf_counter() - begun
    index.reload()
    searcher = index.searcher()
    times: dict[str, list[float]] = {}
    with open(queries_path, encoding="utf-8") as queries:
        for line in queries:
            asked = json.loads(line)
            query = index.parse_query(asked["q"], ["text"], conjunction_by_default=True)
            begun = time.perf_counter()
            found = searcher.search(query, limit=10, count=True)
            ids = [searcher.doc(address)["id"][0] for _, address in found.hits]
            times.setdefault(asked["name"], []).append((time.perf_counter() - begun) * 1000)
            if found.count < len(ids):
                raise SystemExit(f"{asked['q']}: {found.count} hits, {len(ids)} ids")
    print(json.dumps({"seconds": seconds, "times": times}))


main(*sys.argv[1:])
