import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const isNamedAsText =
  /\.(txt|md|rst|html?|js|mjs|cjs|ts|css|py|pm|pod|pl|c|h|hpp|rs|go|java|json|sh|toml|ya?ml|[1-9])(\.gz)?$|(^|\/)(README|NEWS|LICENSE|changelog|copyright)[^/]*$/i
const leastBytes = 400
const mostBytes = 4_000_000

/**
 * Folders whose texts a benchmark may read: those in `SKEIN_BENCH_TEXTS`, else the packages that this project is built
 * with. Nothing of them is kept.
 */
export function textFolders(): readonly string[] {
  const named = process.env.SKEIN_BENCH_TEXTS?.split(path.delimiter).filter((one) => one !== '')
  return named === undefined || named.length === 0 ? [path.resolve('node_modules')] : named
}

/** Gives the texts of files below folders, a folder after the other, in the order of their names. */
export function* textsIn(folders: readonly string[]): Generator<string> {
  for (const folder of folders) yield* textsBelow(folder)
}

function* textsBelow(folder: string): Generator<string> {
  for (const one of fs.readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    const file = path.join(folder, one.name)
    if (one.isDirectory()) yield* textsBelow(file)
    else if (one.isFile() && isNamedAsText.test(file)) {
      const text = textOf(file)
      if (text !== undefined) yield text
    }
  }
}

function byName(a: fs.Dirent, b: fs.Dirent): number {
  return a.name < b.name ? -1 : 1
}

function textOf(file: string): string | undefined {
  const { size } = fs.statSync(file)
  if (size < leastBytes || size > mostBytes) return undefined
  let bytes = fs.readFileSync(file)
  if (file.endsWith('.gz')) {
    try {
      bytes = zlib.gunzipSync(bytes)
    } catch {
      return undefined
    }
  }
  const text = bytes.toString('utf8')
  return text.includes('\u0000') || text.split('\uFFFD').length > 20 ? undefined : text
}
