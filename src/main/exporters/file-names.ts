import path from 'node:path'
import type { Exporter } from './parts/exporter'

/** Bytes that a name may have of a key; with an ending it stays below what file systems take. */
const mostNameBytes = 160

/** A name, to which a number can be added before its ending. */
export interface ExportFileName {
  readonly stem: string
  readonly ending: string
}

/**
 * Makes a name for a conversation's file among others: its source and key, without characters that a file system or
 * a shell treats as special. cycod and the programs that go on with sessions find them by their names, so an export for these has such a name.
 */
export function exportFileName(
  exporter: Pick<Exporter, 'id' | 'extension' | 'fileName' | 'isSession'>,
  conversation: { readonly source: string; readonly key: string; readonly created: string | null },
  originalName: string,
): ExportFileName {
  const { source, key } = conversation
  const ending = exporter.id === 'original' ? safeEnding(originalName) : `.${exporter.extension}`
  const hasOwn = exporter.id === 'cycod' || exporter.isSession === true
  const own = hasOwn ? exporter.fileName?.(conversation) : undefined
  if (own !== undefined) return { stem: path.basename(own, ending), ending }
  const plain = `${source}-${key}`.replace(/[^\p{L}\p{N}._-]+/gu, '-')
  let stem = ''
  for (const character of plain) {
    if (Buffer.byteLength(stem + character) > mostNameBytes) break
    stem += character
  }
  return { stem: stem.replace(/[.-]+$/, ''), ending }
}

/** None where it has what some system takes for something else, or drops: a colon, a space, a dot at the end. */
function safeEnding(name: string): string {
  const ending = path.extname(name)
  return /^\.[\p{L}\p{N}_-]{1,32}$/u.test(ending) ? ending : ''
}

/** Function that makes a free name of a wanted one. */
export type FreeNames = (name: ExportFileName) => Promise<string>

/**
 * Makes a function that finds free names in one folder, also where upper and lower case are the same: taken ones get
 * `-2` and so on.
 *
 * @param isTaken whether there is something of that name in the folder
 */
export function createFreeNames(isTaken: (name: string) => Promise<boolean>): FreeNames {
  const given = new Set<string>()
  return async ({ stem, ending }) => {
    for (let number = 1; ; number++) {
      const name = `${stem}${number === 1 ? '' : `-${number}`}${ending}`
      const folded = name.normalize('NFC').toLowerCase()
      if (given.has(folded) || (await isTaken(name))) continue
      given.add(folded)
      return name
    }
  }
}
