import { parse, TomlError } from 'smol-toml'
import type { z } from 'zod'
import type { SettingFault } from '../../shared/model/settings'
import type { Disk } from '../disk/disk'
import { DiskError } from '../disk/disk'
import { readSmallFile } from '../disk/read'

/** A value and the line it stands on. */
export interface Located<T> {
  readonly value: T
  readonly line?: number
}

/** A TOML file that was read, or not. */
export interface TomlFile {
  /** As faults name it: `config.toml`, `contexts/garden/local.toml`. */
  readonly file: string
  readonly text: string
  /** Empty where the file is absent or broken. */
  readonly root: Readonly<Record<string, unknown>>
  /** Why nothing of it could be used. */
  readonly broken?: SettingFault
}

// A configuration that a person wrote holds a few KB.
const limitBytes = 1024 * 1024

/** Reads a TOML file. Never throws: what is wrong is in `broken`. A missing file is an empty one. */
export async function readToml(disk: Disk, path: string, file: string): Promise<TomlFile> {
  let text: string
  try {
    const bytes = await readSmallFile(disk, path, limitBytes)
    if (bytes === undefined) return { file, text: '', root: {} }
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const why = error instanceof DiskError ? error.message : `${file} is not UTF-8 text`
    return { file, text: '', root: {}, broken: { file, message: `${why}; nothing of it is used.` } }
  }
  return parseToml(text, file)
}

/** Parses a TOML text; see readToml. */
export function parseToml(text: string, file: string): TomlFile {
  try {
    return { file, text, root: parse(text, { integersAsBigInt: 'asNeeded' }) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The first line alone: the others quote the file, which may hold a key.
    const why = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
    const message = `Line ${error.line} is not TOML (${why}); nothing of ${file} is used.`
    return { file, text, root: {}, broken: { file, line: error.line, message } }
  }
}

/**
 * Takes one value out of a file. Undefined where it is absent, and where it is not what is expected: then a fault
 * is added, which does not quote it.
 *
 * @param expected what it must be, in words: "text", "a whole number of at least 1"
 */
export function takeValue<T>(
  { file, text, root }: TomlFile,
  path: readonly string[],
  schema: z.ZodType<T>,
  expected: string,
  faults: SettingFault[],
): Located<T> | undefined {
  const value = valueAt(root, path)
  if (value === undefined) return undefined
  const line = lineOf(text, path)
  const where = line === undefined ? {} : { line }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data, ...where }
  const key = path.join('.')
  faults.push({ file, ...where, key, message: `${key} must be ${expected}; it is not used.` })
  return undefined
}

/** The line of a key, counted from 1; undefined where it is written in a way that is not looked for (an inline table). */
export function lineOf(text: string, path: readonly string[]): number | undefined {
  const wanted = path.join('.')
  let table = ''
  let openQuote = ''
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (openQuote !== '') {
      if (line.includes(openQuote)) openQuote = ''
      continue
    }
    const header = /^\s*\[(\[?[^[\]]+)\]+\s*(#.*)?$/.exec(line)
    // A table of an array keeps its bracket, and so is no table that is looked for.
    if (header) table = plainKey(header[1] ?? '')
    const key =
      /^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=(.*)$/.exec(
        line,
      )
    if (!key) continue
    const name = plainKey(key[1] ?? '')
    if ((table === '' ? name : `${table}.${name}`) === wanted) return index + 1
    openQuote = openedBy(key[2] ?? '')
  }
  return undefined
}

function valueAt(root: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let at: unknown = root
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    // A parser's cast: it is an object, so it may be read by key.
    at = (at as Readonly<Record<string, unknown>>)[step]
  }
  return at
}

function plainKey(key: string): string {
  return key
    .split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.')
}

/** The quotes that a value opens and leaves open: what stands in a text over several lines is no key. */
function openedBy(value: string): string {
  for (const quote of ['"""', "'''"]) {
    const at = value.indexOf(quote)
    if (at >= 0 && !value.includes(quote, at + 3)) return quote
  }
  return ''
}
