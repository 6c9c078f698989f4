// A transcript's files, read line by line: the whole of them, a page, one line.
export { decodeLine } from './entry-line'
export { FileMovedError, openUnmoved } from './file-facts'
export type { LineDecode } from './line-facts'
export { type PageSource, readRowPage } from './page'
export { readLineAt } from './raw-line'
export type { TranscriptFile } from './transcript-file'
export { streamContext } from './whole'
