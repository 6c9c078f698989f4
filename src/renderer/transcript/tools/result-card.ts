import {
  languageOfFile,
  type NumberedLines,
  numberedLines,
  readCall,
} from '../../../shared/model/calls/read-call'
import { foundFiles, type SearchedFiles, searchCall } from '../../../shared/model/calls/search-call'
import { taskCall } from '../../../shared/model/calls/task-call'
import { type FoundPages, foundPages, webCall } from '../../../shared/model/calls/web-call'
import type { Entry } from '../../../shared/model/conversation/entry'
import { isFailedResult } from '../../../shared/model/conversation/tool-results'

/** Form in which a result is drawn, by what its call asked for. */
export type ResultCard =
  | { readonly type: 'lines'; readonly language: string; readonly lines: NumberedLines }
  | { readonly type: 'code'; readonly language: string; readonly code: string }
  | { readonly type: 'hits'; readonly literals: readonly string[]; readonly found: SearchedFiles }
  | ({ readonly type: 'pages' } & FoundPages)
  | { readonly type: 'report'; readonly text: string }

/** Longest report that is drawn as Markdown, in characters. */
const longestReport = 100_000

/** Returns what a result is drawn as; undefined where it is drawn as any other, as failures are. */
export function resultCardOf(
  call: Entry | undefined,
  result: Entry,
  text: string,
): ResultCard | undefined {
  if (call === undefined || text.trim() === '' || isFailedResult(result)) return undefined
  const read = readCall(call)
  if (read !== undefined) {
    const language = languageOfFile(read.path)
    const lines = numberedLines(text)
    if (lines !== undefined) return { type: 'lines', language, lines }
    return language === '' ? undefined : { type: 'code', language, code: text }
  }
  const search = searchCall(call)
  if (search !== undefined) {
    const found = foundFiles(text)
    return found === undefined ? undefined : { type: 'hits', literals: search.literals, found }
  }
  if (webCall(call) !== undefined) {
    const found = foundPages(text)
    return found === undefined ? undefined : { type: 'pages', ...found }
  }
  // A report that is JSON is a tree.
  const isReport = taskCall(call) !== undefined && text.length <= longestReport
  return isReport && !/^\s*[[{]/.test(text) ? { type: 'report', text } : undefined
}
