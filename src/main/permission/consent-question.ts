import { countWithNoun } from '../../shared/model/basics/plural'
import type { ToolPreview } from '../tools/base/tool'
import type { NativeQuestion } from './question'
import { escapeInvisible, escapeInvisibleUpTo, quoteName, shortenHash } from './question-text'

/** A call that a person has allowed in the app window. */
export interface AllowedCall {
  /** The conversation that it was made in. */
  readonly conversation: string
  readonly tool: string
  /** The arguments of the call, as JSON. */
  readonly arguments: string
  readonly preview: ToolPreview
}

/** A person's answer. `folder`: this change, and the next ones in its folder that the app window shows first. */
export type PermissionAnswer = 'once' | 'folder' | 'always'

/** A question, and the meaning of its answers, in their order. */
export interface CallQuestion {
  readonly question: NativeQuestion
  readonly words: readonly PermissionAnswer[]
}

/**
 * Returns the question that a dialog of the system has to ask before a call is made, since a page can allow it by
 * itself; undefined where none has.
 *
 * @param wish what was pressed in the window
 * @param isFolderAllowed whether a person has allowed changes in the call's folder before
 */
export function callQuestion(
  call: AllowedCall,
  wish: 'once' | 'always',
  isFolderAllowed: boolean,
): CallQuestion | undefined {
  const { reach } = call.preview
  switch (reach?.type) {
    case 'file':
      if (reach.risk !== undefined) return riskyWrite(call, reach, reach.risk)
      if (wish === 'always') return writesUnseen(call, reach)
      return isFolderAllowed ? undefined : firstWrite(call, reach)
    case 'home':
      return wish === 'always' ? callsUnseen(call) : undefined
    case undefined:
      return unknownCall(call)
  }
}

type FileReach = Extract<ToolPreview['reach'], { type: 'file' }>

function riskyWrite(call: AllowedCall, { file, hash }: FileReach, risk: string): CallQuestion {
  return {
    question: {
      message: `Let ${quoteName(call.conversation)} write this file?`,
      detail: [
        longPath(file),
        '',
        risk,
        '',
        ...changeLines(call.preview),
        '',
        `SHA-256 of the new content: ${shortenHash(hash)}`,
      ].join('\n'),
      refusal: 'Don’t Write',
      answers: ['Write'],
      isGrave: true,
    },
    words: ['once'],
  }
}

function firstWrite(call: AllowedCall, { file, folder }: FileReach): CallQuestion {
  return {
    question: {
      message: `Let ${quoteName(call.conversation)} change files in ${quoteName(folder)}?`,
      detail: [
        `Folder: ${longPath(folder)}`,
        '',
        'You see each change in the window before it is written. Programs, hidden files and what runs by itself are asked about one by one. This lasts until Skein closes.',
        '',
        `Now: ${longPath(file)}`,
        ...changeLines(call.preview),
      ].join('\n'),
      refusal: 'Don’t Write',
      answers: ['This Change Only', 'Allow in This Folder'],
    },
    words: ['once', 'folder'],
  }
}

function writesUnseen(call: AllowedCall, { file, folder }: FileReach): CallQuestion {
  return {
    question: {
      message: `Let ${quoteName(call.conversation)} change files in ${quoteName(folder)} without asking?`,
      detail: [
        `Folder: ${longPath(folder)}`,
        '',
        'You no longer see its changes before they are written. Programs, hidden files and what runs by itself are still asked about. This lasts until Skein closes.',
        '',
        `Now: ${longPath(file)}`,
        ...changeLines(call.preview),
      ].join('\n'),
      refusal: 'Don’t Write',
      answers: ['This Change Only', 'Allow Without Asking'],
      isGrave: true,
    },
    words: ['once', 'always'],
  }
}

function callsUnseen(call: AllowedCall): CallQuestion {
  return {
    question: {
      message: `Let ${quoteName(call.conversation)} use ${quoteName(call.tool)} without asking?`,
      detail: `${escapeInvisibleUpTo(call.preview.title, 200)}\n\nThis lasts until Skein closes.`,
      refusal: 'Cancel',
      answers: ['This Call Only', 'Allow Without Asking'],
    },
    words: ['once', 'always'],
  }
}

/** Asks about each call of a tool whose changes are not known. */
function unknownCall(call: AllowedCall): CallQuestion {
  return {
    question: {
      message: `Let ${quoteName(call.conversation)} use ${quoteName(call.tool)}?`,
      detail: [
        escapeInvisibleUpTo(call.preview.title, 200),
        '',
        'Arguments:',
        ...linesUpTo(call.arguments.split('\n')),
      ].join('\n'),
      refusal: 'Cancel',
      answers: ['Allow'],
      isGrave: true,
    },
    words: ['once'],
  }
}

/** Lists the lines of the change as the app window shows them, and the number of those that do not fit. */
function changeLines({ title, diff = '' }: ToolPreview): readonly string[] {
  // Its first two lines name the file, which is shown above.
  const [first, ...rest] = diff
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('@@') ? '⋯' : line))
  // A mark of left-out lines at the beginning is of no use; further down it is.
  const lines = first === undefined || first === '⋯' ? rest : [first, ...rest]
  return [escapeInvisibleUpTo(title, 300), ...(lines.length === 0 ? [] : ['', ...linesUpTo(lines)])]
}

/** A dialog that is higher than the screen has no buttons. */
const mostLines = 12
const longestLine = 120

function linesUpTo(lines: readonly string[]): readonly string[] {
  const rest = lines.length - mostLines
  return [
    ...lines.slice(0, mostLines).map((line) => escapeInvisibleUpTo(line, longestLine)),
    ...(rest > 0 ? [`… ${countWithNoun(rest, 'more line')}, shown in the window`] : []),
  ]
}

/** A path with both its ends: where it begins says whose it is, where it ends what it is. */
function longPath(file: string): string {
  const characters = Array.from(file)
  if (characters.length <= 500) return escapeInvisible(file)
  return `${escapeInvisible(characters.slice(0, 250).join(''))} … ${escapeInvisible(characters.slice(-250).join(''))}`
}
