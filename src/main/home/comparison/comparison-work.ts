import { AppError, type ErrorCode } from '../../../shared/model/basics/errors'
import { type ComparedSides, compareSides } from '../../../shared/model/comparison/compare-sides'
import { type ComparedRows, comparedRows } from '../../../shared/model/comparison/compared-rows'
import {
  type ComparedRow,
  type ComparisonOverview,
  comparisonView,
} from '../../../shared/model/comparison/comparison-view'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { ComparisonFormat } from '../../../shared/model/export'
import type { Disk } from '../../disk/interface/disk'
import { comparisonDocument } from '../../exporters/comparison/document'
import { readSide, type SideJob } from './read-side'

/** A question to whoever compares. One comparison is held at a time: another `open` replaces it. */
export type ComparisonQuestion =
  | {
      readonly type: 'open'
      readonly keys: readonly [LibraryKey, LibraryKey]
      readonly left: SideJob
      readonly right: SideJob
    }
  | { readonly type: 'rows'; readonly from: number; readonly limit: number }
  /** The next pieces of a document, or the first ones. */
  | { readonly type: 'document'; readonly format: ComparisonFormat; readonly isFirst: boolean }

/** An answer: what was asked for, or why it is not there. */
export type ComparisonAnswer =
  | { readonly type: 'view'; readonly view: ComparisonOverview }
  | { readonly type: 'rows'; readonly rows: readonly ComparedRow[] }
  /** Empty at the document's end. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string }

/** Characters of a document that cross to another thread at once, at least. */
const pieceCharacters = 256 * 1024

/** Creates a function that reads two sides, compares them, and answers questions about the comparison. */
export function comparisonWork(
  disk: Disk,
): (question: ComparisonQuestion, signal: AbortSignal) => Promise<ComparisonAnswer> {
  let held:
    | {
        readonly compared: ComparedSides
        readonly rows: ComparedRows
        readonly unread: readonly string[]
      }
    | undefined
  let document: Generator<string> | undefined

  async function open(
    { keys, left, right }: Extract<ComparisonQuestion, { readonly type: 'open' }>,
    signal: AbortSignal,
  ): Promise<ComparisonAnswer> {
    held = undefined
    document = undefined
    const sides = [await readSide(disk, left, signal), await readSide(disk, right, signal)] as const
    const compared = compareSides(sides[0].side, sides[1].side)
    const unread = [...new Set([...sides[0].unread, ...sides[1].unread])]
    held = { compared, rows: comparedRows(compared.changes), unread }
    return { type: 'view', view: comparisonView(compared, keys, unread) }
  }

  async function answer(
    question: ComparisonQuestion,
    signal: AbortSignal,
  ): Promise<ComparisonAnswer> {
    if (question.type === 'open') return open(question, signal)
    if (held === undefined) throw new AppError('not-found', 'This comparison is not open any more.')
    if (question.type === 'rows')
      return { type: 'rows', rows: held.rows.slice(question.from, question.limit) }
    if (question.isFirst) document = comparisonDocument(question.format, held.compared, held.unread)
    let text = ''
    while (document !== undefined && text.length < pieceCharacters) {
      const next = document.next()
      if (next.done) document = undefined
      else text += next.value
    }
    return { type: 'text', text }
  }

  return async (question, signal) => {
    try {
      return await answer(question, signal)
    } catch (error) {
      if (error instanceof AppError)
        return { type: 'failed', code: error.code, message: error.message }
      throw error
    }
  }
}
