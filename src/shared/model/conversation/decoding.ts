/**
 * Version of the decoders: what they make of the bytes of a history, as lines and documents become entries, facts and
 * searchable texts.
 *
 * Every cache of such results has it, and one of another version is not used: the library's rows and counts, the outlines
 * of families, the parts of the search index, and the filters of partitions. Raise it by one whenever a decoder gives
 * another result for the same bytes; `test/main/library/decoding.test.ts` fails where that was forgotten.
 */
export const decodingVersion = 22
