// A transcript's files, read line by line: the whole of them, a page, one line.

export type { TranscriptFile } from './core/transcript-file'
export { decodeLine } from './lines/entry-line'
export { FileMovedError, openUnmoved } from './lines/file-facts'
export type { LineDecode } from './lines/line-facts'
export { readLineAt } from './lines/raw-line'
export { streamContext } from './reading/full-read'
export { type PageSource, readRowPage } from './reading/row-page'
