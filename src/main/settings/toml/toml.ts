import { parse, stringify, TomlError } from 'smol-toml'
import type { z } from 'zod'
import type { SettingFault } from '../../../shared/model/settings/settings'
import type { Disk } from '../../disk/interface/disk'
import { DiskError } from '../../disk/interface/disk'
import { readSmallFile } from '../../disk/reading/read'
import { findTomlPositions } from './toml-positions'

/** A value and its line, counted from 1. */
export interface Located<T> {
  readonly value: T
  readonly line?: number
}

/** A TOML file that was read, or could not be. */
export interface TomlFile {
  /** As faults name it: `config.toml`, `contexts/garden/local.toml`. */
  readonly file: string
  /** Empty where the file is absent or broken. */
  readonly root: Readonly<Record<string, unknown>>
  /** The line of each key and table, by its path as JSON. */
  readonly lines: ReadonlyMap<string, number>
  /** The reason why nothing of it can be used. */
  readonly broken?: SettingFault
}

const empty = { root: {}, lines: new Map<string, number>() }

// A configuration that a person wrote holds a few KB.
/** The largest TOML file that is read; a configuration that a person wrote has a few KB. */
export const tomlLimitBytes = 1024 * 1024

/** Reads a TOML file. Never throws: a failure is in `broken`. A missing file is an empty one. */
export async function readToml(disk: Disk, path: string, file: string): Promise<TomlFile> {
  let text: string
  try {
    const bytes = await readSmallFile(disk, path, tomlLimitBytes)
    if (bytes === undefined) return { file, ...empty }
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const why = error instanceof DiskError ? error.message : `${file} is not UTF-8 text`
    return { file, ...empty, broken: { file, message: `${why}; it is ignored.` } }
  }
  return parseToml(text, file)
}

/** Parses a TOML text; see readToml. */
export function parseToml(text: string, file: string): TomlFile {
  try {
    return {
      file,
      root: parse(text, { integersAsBigInt: 'asNeeded' }),
      lines: linesIn(text),
    }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The first line alone: the others quote the file, which may hold a key.
    const why = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
    const message = `Line ${error.line} is not TOML (${why}); ${file} is ignored.`
    return { file, ...empty, broken: { file, line: error.line, message } }
  }
}

/**
 * Takes one value out of a file. Undefined where it is absent, and where it does not fit the schema: then a fault is
 * added, which does not quote it.
 *
 * @param expected what it must be, in words: "text", "a whole number of at least 1"
 */
export function takeTomlValue<T>(
  toml: TomlFile,
  path: readonly string[],
  schema: z.ZodType<T>,
  expected: string,
  faults: SettingFault[],
): Located<T> | undefined {
  const { file } = toml
  const value = tomlValueAt(toml.root, path)
  if (value === undefined) return undefined
  const line = tomlLineOf(toml, path)
  const where = line === undefined ? {} : { line }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data, ...where }
  const key = formatTomlKey(path)
  faults.push({ file, ...where, key, message: `${key} must be ${expected}; it is not used.` })
  return undefined
}

/** Returns the line of a key or of a table, counted from 1; undefined for a key below `[[name]]`. */
export function tomlLineOf({ lines }: Pick<TomlFile, 'lines'>, path: readonly string[]) {
  return lines.get(JSON.stringify(path))
}

function linesIn(text: string): TomlFile['lines'] {
  const { keys = [], tables = [] } = findTomlPositions(text) ?? {}
  const starts = [
    ...tables.map(({ path, headerStart }) => ({ path, start: headerStart })),
    ...keys.map(({ path, keyStart }) => ({ path, start: keyStart })),
  ].sort((a, b) => a.start - b.start)
  const lines = new Map<string, number>()
  let line = 1
  let counted = 0
  for (const { path, start } of starts) {
    line += text.slice(counted, start).split('\n').length - 1
    counted = start
    // Of several tables under one name the first.
    if (!lines.has(JSON.stringify(path))) lines.set(JSON.stringify(path), line)
  }
  return lines
}

/** Formats a key as TOML writes it: `storage.bytes_per_token`, `models."some/model".api.seed`. */
export function formatTomlKey(path: readonly string[]): string {
  return path.map((step) => (/^[A-Za-z0-9_-]+$/.test(step) ? step : JSON.stringify(step))).join('.')
}

/**
 * Writes a value as TOML on one line.
 *
 * @throws Error for what TOML cannot hold: null, functions
 */
export function tomlLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlLiteral).join(', ')}]`
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const pairs = Object.entries(value).map(
      ([key, each]) => `${formatTomlKey([key])} = ${tomlLiteral(each)}`,
    )
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
  }
  return stringify({ value }).trim().slice('value = '.length)
}

/** Returns the value at a path; undefined where there is none. */
export function tomlValueAt(
  root: Readonly<Record<string, unknown>>,
  path: readonly string[],
): unknown {
  let at: unknown = root
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    // A parser's cast: it is an object, so it may be read by key.
    at = (at as Readonly<Record<string, unknown>>)[step]
  }
  return at
}
