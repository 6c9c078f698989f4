import type { Entry } from '../conversation/entry'
import { argumentsObject, numberArgument, pathArgument, textArgument } from './arguments-object'
import { lettersOf } from './changing-tools'

/** Longest arguments and results that are taken apart, in characters. */
const longest = 400_000

/** A call that reads a file: its path, and the lines it asks for, from 1 on. */
export interface ReadCall {
  readonly path: string
  readonly from?: number
  readonly to?: number
}

/** Tools that read a file, by their letters in lower case. */
const readers: ReadonlySet<string> = new Set([
  ...['read', 'readfile', 'readtextfile', 'view', 'viewfile', 'openfile', 'fsread', 'cat'],
  ...['strreplaceeditor', 'strreplacebasededittool', 'filesread', 'readfilecontents'],
])

/** Returns the file that a call reads; undefined for other calls. */
export function readCall({ entry_type, to, content }: Entry): ReadCall | undefined {
  if (entry_type !== 'tool_call' || content.length > longest || !readers.has(lettersOf(to)))
    return undefined
  const args = argumentsObject(content)
  const path = args === undefined ? undefined : pathArgument(args)
  if (args === undefined || path === undefined || path === '') return undefined
  // An editor that is one tool for all says by its command what it does.
  const command = textArgument(args, ['command'])
  if (command !== undefined && command !== 'view') return undefined
  const range = args.view_range
  const [first, last] = Array.isArray(range) ? (range as readonly unknown[]) : []
  const from = whole(first) ?? numberArgument(args, ['start_line', 'startLine', 'offset', 'line'])
  const until = whole(last) ?? numberArgument(args, ['end_line', 'endLine'])
  const limit = numberArgument(args, ['limit'])
  const start = from !== undefined && from > 0 ? from : undefined
  const end = until ?? (limit === undefined ? undefined : (start ?? 1) + limit - 1)
  return {
    path,
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined || end < (start ?? 1) ? {} : { to: end }),
  }
}

function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

/** Lines that a result gives with their numbers, and what stands before and after them. */
export interface NumberedLines {
  readonly before: string
  /** The number of the first line. */
  readonly first: number
  /** The lines without their numbers. */
  readonly code: string
  readonly after: string
}

/** Forms of a line with its number: `12→code`, a tab, `12| code`, `12 | code`, `12: code`. */
const forms = [
  /^ {0,8}(\d{1,8})→(.*)$/,
  /^ {0,8}(\d{1,8})\t(.*)$/,
  /^ {0,8}(\d{1,8})\| ?(.*)$/,
  /^ {0,8}(\d{1,8}) \| ?(.*)$/,
  /^ {0,8}(\d{1,8}): ?(.*)$/,
] as const

/** Most lines before the first one with a number. */
const mostBefore = 8

/**
 * Parts the lines of a file from the numbers that a tool gave them; undefined where its text has no run of two lines with numbers that
 * follow each other, near its beginning.
 */
export function numberedLines(text: string): NumberedLines | undefined {
  if (text.length > longest) return undefined
  const lines = text.split('\n')
  for (let start = 0; start <= Math.min(mostBefore, lines.length - 1); start++) {
    const form = forms.find((one) => one.test(lines[start] ?? ''))
    if (form === undefined) continue
    const code: string[] = []
    const first = Number(form.exec(lines[start] ?? '')?.[1])
    let at = start
    for (; at < lines.length; at++) {
      const [, number, rest] = form.exec((lines[at] ?? '').replace(/\r$/, '')) ?? []
      if (number === undefined || Number(number) !== first + code.length) break
      code.push(rest ?? '')
    }
    const isOne = code.length === 1 && start === 0 && lines.slice(at).join('').trim() === ''
    if (code.length < 2 && !isOne) continue
    return {
      before: lines.slice(0, start).join('\n').trim(),
      first,
      code: code.join('\n'),
      after: lines.slice(at).join('\n').trim(),
    }
  }
  return undefined
}

/** Returns the language of a file by the end of its name, as highlighters call it; empty where it has none. */
export function languageOfFile(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? ''
  if (/^(?:Dockerfile|Makefile)$/i.test(name)) return name.toLowerCase()
  const end = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return languages[end] ?? end
}

const languages: Readonly<Record<string, string>> = {
  txt: '',
  log: '',
  mts: 'typescript',
  cts: 'typescript',
  jsonl: 'json',
  vue: 'xml',
  svelte: 'xml',
}
