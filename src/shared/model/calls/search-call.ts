import type { Entry } from '../conversation/entry'
import { argumentsObject, pathArgument, textArgument } from './arguments-object'
import { lettersOf } from './changing-tools'

/** Longest arguments and results that are taken apart, in characters. */
const longest = 400_000
/** Most lines of a result that are hits and are drawn as such. */
const mostLines = 5000

/** A call that searches files: what for, and where. */
export interface SearchCall {
  readonly pattern: string
  readonly where?: string
  /** Texts that a match has for certain, as far as the pattern is one of these alone; to mark them. */
  readonly literals: readonly string[]
}

/** Tools that search files by their content or name, by their letters in lower case. */
const searchers: ReadonlySet<string> = new Set([
  ...['grep', 'greptool', 'grepsearch', 'ripgrep', 'rg', 'search', 'searchfiles', 'searchfile'],
  ...['searchfilecontent', 'codesearch', 'searchcode', 'textsearch', 'findtextinfiles', 'glob'],
  ...['globtool', 'globsearch', 'findfiles', 'filesearch', 'findbyname', 'codebasesearch'],
])
const patternNames = ['pattern', 'regex', 'query', 'search_term', 'searchTerm', 'search', 'glob']
const whereNames = [
  'path',
  'directory',
  'dir_path',
  'target_directory',
  'include',
  'includePattern',
]

/** Returns what a call searches files for; undefined for other calls. */
export function searchCall({ entry_type, to, content }: Entry): SearchCall | undefined {
  if (entry_type !== 'tool_call' || content.length > longest || !searchers.has(lettersOf(to)))
    return undefined
  const args = argumentsObject(content)
  const pattern = args === undefined ? undefined : textArgument(args, patternNames)
  if (args === undefined || pattern === undefined || pattern === '') return undefined
  const where = textArgument(args, whereNames) ?? pathArgument(args)
  return {
    pattern,
    literals: literalsOf(pattern),
    ...(where === undefined || where === '' ? {} : { where }),
  }
}

/** Stands before a character that a pattern takes for itself. */
const escaped = '\ue000'

/** The texts of a pattern that is only such, or a choice of them. A pattern of another kind never runs in the window. */
function literalsOf(pattern: string): readonly string[] {
  const texts = pattern
    .split('|')
    .map((one) => one.replace(/\\b/g, '').replace(/\\([^\w\s])/g, `${escaped}$1`))
  const plain = texts.map((one) => one.replace(/\ue000./g, ''))
  if (plain.some((one) => /[\\[\](){}^$*+?.]/.test(one))) return []
  return texts.map((one) => one.replaceAll(escaped, '')).filter((one) => one !== '')
}

/** Line of a file that a search found; without a number where the tool gave none. */
export interface SearchedLine {
  readonly number?: number
  readonly text: string
}

/** A file with what was found in it; without lines where its name alone was. */
export interface SearchedFile {
  readonly path: string
  readonly lines: readonly SearchedLine[]
}

/** Hits of a search by file, and the other lines of its result. */
export interface SearchedFiles {
  readonly files: readonly SearchedFile[]
  readonly others: readonly string[]
}

/** Reads the hits of a search as tools write them; undefined where most of its lines are none. */
export function foundFiles(text: string): SearchedFiles | undefined {
  if (text.length > longest) return undefined
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const said = lines.filter((line) => line.trim() !== '')
  if (said.length === 0 || said.length > mostLines) return undefined
  const files = new Map<string, SearchedLine[]>()
  const others: string[] = []
  let current: string | undefined
  let hits = 0
  const add = (path: string, line?: SearchedLine) => {
    const found = files.get(path) ?? []
    if (line !== undefined) found.push(line)
    files.set(path, found)
    hits++
  }
  const named = new Set(said.flatMap((line) => hitOf(line, undefined)?.path ?? []))
  for (const line of said) {
    const around = lineAround(line, named)
    if (around !== undefined) {
      add(around.path, around.line)
      continue
    }
    const hit = hitOf(line, current)
    if (hit !== undefined) {
      current = hit.path
      add(hit.path, hit.line)
      continue
    }
    const head =
      /^(?:File: |#+ )(\S.*)$/.exec(line)?.[1] ??
      /^((?:\/|[A-Za-z]:\\|\.{0,2}\/)?[^\s:][^:]*):$/.exec(line)?.[1]
    if (head !== undefined && isPath(head)) {
      current = head
      add(head)
    } else if (isPath(line.trim()) && !/^\s/.test(line)) add(line.trim())
    else if (!/^-{2,}$|^[│|]?-{4,}$/.test(line.trim())) others.push(line)
  }
  // What is not understood is drawn as it came.
  return hits === 0 || others.length > Math.max(3, hits / 4)
    ? undefined
    : { files: [...files].map(([path, found]) => ({ path, lines: found })), others }
}

/** A line with a hit: `file:12:text`, or below the name of its file `Line 12: text`, `L12: text`, `12 | text`. */
function hitOf(
  line: string,
  current: string | undefined,
): { readonly path: string; readonly line: SearchedLine } | undefined {
  const [, path, number, text] = /^((?:[A-Za-z]:)?[^:\n]{1,1000}):(\d{1,8}):(.*)$/.exec(line) ?? []
  if (path !== undefined && text !== undefined && isPath(path))
    return { path, line: { number: Number(number), text } }
  if (current === undefined) return undefined
  const [, under, said] =
    /^\s*(?:Line |L)(\d{1,8}): ?(.*)$/.exec(line) ?? /^\s*(\d{1,8}) \| ?(.*)$/.exec(line) ?? []
  return under === undefined
    ? undefined
    : { path: current, line: { number: Number(under), text: said ?? '' } }
}

/** A line around a hit, `file-12-text`, of a file that has a hit. */
function lineAround(
  line: string,
  named: ReadonlySet<string>,
): { readonly path: string; readonly line: SearchedLine } | undefined {
  for (const { index, 0: sign, 1: number } of line.slice(0, 1200).matchAll(/-(\d{1,8})-/g)) {
    const path = line.slice(0, index)
    if (named.has(path))
      return { path, line: { number: Number(number), text: line.slice(index + sign.length) } }
  }
  return undefined
}

/** A name of a file: with a folder or an end, and no words before it. */
function isPath(text: string): boolean {
  return (
    text.length <= 1000 &&
    /^(?:[A-Za-z]:\\|~?\/|\.{1,2}[\\/])?[^\s:*?"<>|]+(?: [^\s:*?"<>|]+)*$/.test(text) &&
    (/[\\/]/.test(text) ? !/[\\/] /.test(text) : /^\S+\.\w{1,10}$/.test(text))
  )
}
