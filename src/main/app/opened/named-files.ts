import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkScheme } from '../../../shared/model/conversation-link'
import { endOfOptions, placesOfValues } from './end-of-options'

/** What one start may hand to another over Chromium, in bytes: its message ends at 32 KiB, and a longer one ends the program that gets it. */
const mostHandedOver = 24 * 1024

/** An address, and no path: `notes:1.jsonl` and `C:\\notes` are paths. */
const addressStart = /^(?:file:\/|[a-z][a-z0-9+.-]*:\/\/)/i

/**
 * Lists the files among the arguments of a start, absolute: paths, and `file:` addresses of this machine. An address that is no such file
 * stays as it is, so that a person is told of it. Options are none, in whatever place, nor are their values; behind `--` everything is one. Beside a `skein:` link there are none: whoever makes a link must not
 * name files with it, as by a quotation mark that ends it early.
 *
 * @param argv behind the program's path, and that of the app where it runs from a folder
 * @param folder what relative paths are relative to
 */
export function namedFiles(
  argv: readonly string[],
  folder: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  if (argv.some((argument) => argument.trimStart().toLowerCase().startsWith(`${linkScheme}:`)))
    return []
  // Chromium has both kinds of options on Windows.
  const isOption = (word: string) =>
    word.startsWith('-') || (platform === 'win32' && /^\/[a-z]/i.test(word))
  const end = endOfOptions(argv)
  const values = placesOfValues(argv)
  const named = argv.filter((word, at) => at > end || !(isOption(word) || values.has(at)))
  const files = named.filter((word) => word !== '').map((word) => fileOf(word, folder))
  return [...new Set(files)]
}

/**
 * Returns the arguments behind the program's path, and behind that of its folder where it runs from one.
 *
 * @param app the app's folder; undefined for a package
 */
export function argumentsOfApp(
  argv: readonly string[],
  app: string | undefined,
  folder: string,
): readonly string[] {
  if (app === undefined) return argv.slice(1)
  const at = argv.findIndex((word, place) => place > 0 && path.resolve(folder, word) === app)
  return argv.slice(at === -1 ? 2 : at + 1)
}

/** Files as one start hands them to another. */
export interface HandedFiles {
  /** Letters and digits alone: Electron 25 loses spaces that are written beside zero bytes, and all that was handed over with them. */
  readonly files: string
}

/**
 * Packs files for another start.
 *
 * @throws Error where the command line is longer than what another Skein can be handed
 */
export function packFiles(argv: readonly string[], files: readonly string[]): HandedFiles {
  const packed = Buffer.from(JSON.stringify(files)).toString('base64url')
  const words = argv.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0)
  if (words + packed.length > mostHandedOver)
    throw new Error(
      'The command line is too long. Open fewer files at once, or drop them on the window.',
    )
  return { files: packed }
}

/** Reads the files and addresses that another start has handed over; what is neither is left out. */
export function handedFiles(data: unknown): readonly string[] {
  const { files } = (data ?? {}) as { readonly files?: unknown }
  if (typeof files !== 'string') return []
  try {
    const named: unknown = JSON.parse(Buffer.from(files, 'base64url').toString('utf8'))
    if (!Array.isArray(named)) return []
    return named.filter(
      (file) => typeof file === 'string' && (path.isAbsolute(file) || addressStart.test(file)),
    )
  } catch {
    return [] // Of another program, or another version.
  }
}

/** The address itself where it is no file of this machine. */
function fileOf(word: string, folder: string): string {
  if (!addressStart.test(word)) return path.resolve(folder, word)
  try {
    const address = new URL(word)
    // One of another machine has a host.
    return address.protocol === 'file:' && address.host === '' ? fileURLToPath(address) : word
  } catch {
    return word // No address, or escapes that no path has: bytes that are no UTF-8.
  }
}
