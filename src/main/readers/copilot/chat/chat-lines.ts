import {
  type ComposedLine,
  composedLine,
  type LinePart,
} from '../../../records/lines/composed-line'

/** Lays out the line of a chat's own members. */
export function chatMembersLine(...session: readonly LinePart[]): ComposedLine {
  return composedLine('{"session":', ...session, '}')
}

/**
 * Lays out the line of a request.
 *
 * @param previous the id of the request before it, null for a first one; undefined where it has no place in the tree
 */
export function requestLine(
  request: LinePart,
  previous: string | null | undefined,
  mark: '' | ',"isPending":true' = '',
): ComposedLine {
  const before = previous === undefined ? '{' : `{"previous":${JSON.stringify(previous)},`
  return composedLine(`${before}"request":`, request, `${mark}}`)
}

/** Lays out the last line of a chat that is not at its last request now. */
export function chatLeafLine(leaf: string): ComposedLine {
  return composedLine(JSON.stringify({ leaf }))
}

/** Lays out the line of a change that no chat has, or of another value in a document. */
export function strangeLine(change: LinePart): ComposedLine {
  return composedLine('{"change":', change, '}')
}
