import type { ToolPreview } from '../tools/base/tool'
import type { NativeQuestion } from './question'
import { escapeInvisible, escapeInvisibleUpTo, quoteName, shortenHash } from './question-text'

/** A call that a person has said yes to in the window. */
export interface AllowedCall {
  /** The conversation that it was made in. */
  readonly conversation: string
  readonly tool: string
  /** What the tool gets, as JSON. */
  readonly arguments: string
  readonly preview: ToolPreview
}

/** A person's word. `folder`: this change, and those in its folder that are shown in the window. */
export type PermissionAnswer = 'once' | 'folder' | 'always'

/** A question, and what its answers mean, in their order. */
export interface CallQuestion {
  readonly question: NativeQuestion
  readonly words: readonly PermissionAnswer[]
}

/**
 * What has to be asked outside of the window before a call is made, since a page can say yes by itself; undefined where
 * nothing has.
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

/** Nobody knows what it changes: each call is asked about. */
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

/** The change itself, as it was shown in the window; what does not fit is counted. */
function changeLines({ title, diff = '' }: ToolPreview): readonly string[] {
  // Its first two lines name the file, which stands above.
  const [first, ...rest] = diff
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('@@') ? '⋯' : line))
  // Where it begins nobody needs to know; where it goes on further down they do.
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
    ...(rest > 0
      ? [
          `… ${rest.toLocaleString('en')} more ${rest === 1 ? 'line' : 'lines'}, shown in the window`,
        ]
      : []),
  ]
}

/** A path with both its ends: where it begins says whose it is, where it ends what it is. */
function longPath(file: string): string {
  const characters = Array.from(file)
  if (characters.length <= 500) return escapeInvisible(file)
  return `${escapeInvisible(characters.slice(0, 250).join(''))} … ${escapeInvisible(characters.slice(-250).join(''))}`
}
