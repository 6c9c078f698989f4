import { collectIds, type Growth, grown, hasWords, jsonOf, ownIdOf } from './grown-json'

/** Takes a piece of a file. */
export type TakePiece = (text: string) => Promise<void> | void

/**
 * Writes a file of a fixture over and over until it has so many bytes: its lines of JSON, the elements of its list, or all of
 * it. Ids are others each time, and lines go on from the last one. What is no JSON stands there once.
 */
export async function writeGrown(
  name: string,
  text: string,
  bytes: number,
  draw: () => string,
  take: TakePiece,
): Promise<void> {
  let written = 0
  const put = (piece: string) => {
    written += Buffer.byteLength(piece)
    return take(piece)
  }
  const isMore = () => written < bytes
  if (name.endsWith('.jsonl')) await growLines(text, draw, put, isMore)
  // Prompts of AI Studio are documents whose names do not say so.
  else if (name.endsWith('.json') || jsonOf(text) !== undefined)
    await growDocument(text, draw, put, isMore)
  else
    do {
      await put(`${text.trimEnd()}\n`)
      // A session has some sixty texts.
      for (let at = 0; at < 60; at++)
        await put(`\n#### ${draw().slice(0, 60).replace(/\s+/g, ' ')}\n\n${draw()}\n`)
    } while (isMore())
}

function growthOf(
  ids: ReadonlySet<string>,
  block: number,
  goesOnFrom: string | undefined,
  draw: () => string,
): Growth {
  const idOf = (id: string) => (block === 0 ? id : `${id}-${block}`)
  return { ids, idOf, goesOnFrom, draw }
}

async function growLines(
  text: string,
  draw: () => string,
  put: TakePiece,
  isMore: () => boolean,
): Promise<void> {
  const lines = text.split('\n').filter((line) => line !== '')
  const values = lines.map(jsonOf)
  const ids = new Set<string>()
  // The first line is of the whole file: its ids stay.
  const own = new Set<string>()
  collectIds(values[0], own)
  for (const value of values.slice(1)) collectIds(value, ids)
  for (const id of own) ids.delete(id)
  const first = values.findIndex((value, at) => at > 0 && hasWords(value))
  const again = first === -1 ? [] : values.slice(first)
  let last: string | undefined
  for (const [at, value] of values.entries()) {
    const line = lines[at] ?? ''
    if (value === undefined) await put(`${line}\n`)
    else await put(`${JSON.stringify(grown(value, growthOf(ids, 0, undefined, draw)))}\n`)
    last = ownIdOf(value) ?? last
  }
  for (let block = 1; again.length > 0 && isMore(); block++)
    for (const value of again) {
      if (value === undefined) continue
      const next = grown(value, growthOf(ids, block, last, draw))
      await put(`${JSON.stringify(next)}\n`)
      last = ownIdOf(next) ?? last
    }
}

/** The list of a document: itself, or the field that is the longest list of objects. */
async function growDocument(
  text: string,
  draw: () => string,
  put: TakePiece,
  isMore: () => boolean,
): Promise<void> {
  const value = jsonOf(text) ?? jsonOf(withoutDamage(text))
  const list = listOf(value)
  if (list === undefined) return put(text)
  const ids = new Set<string>()
  for (const one of list.elements) collectIds(one, ids)
  const [head, tail] =
    list.key === undefined
      ? ['[', ']']
      : JSON.stringify({ ...Object(value), [list.key]: ['HERE'] }).split('"HERE"')
  await put(head ?? '')
  let last: string | undefined
  for (let block = 0; block === 0 || isMore(); block++)
    for (const [at, one] of list.elements.entries()) {
      const next = grown(one, growthOf(ids, block, block === 0 ? undefined : last, draw))
      // Conversations of an export are no one's children.
      last = list.key === undefined ? undefined : (ownIdOf(next) ?? last)
      await put(`${block + at === 0 ? '' : ',\n'}${JSON.stringify(next)}`)
    }
  await put(tail ?? '')
}

function listOf(value: ReturnType<typeof jsonOf>) {
  if (typeof value !== 'object' || value === null) return undefined
  const lists = Array.isArray(value)
    ? [{ key: undefined, elements: value }]
    : Object.entries(value).flatMap(([key, one]) =>
        Array.isArray(one) && one.every((part) => typeof part === 'object' && part !== null)
          ? [{ key, elements: one }]
          : [],
      )
  const [longest] = lists.sort((a, b) => b.elements.length - a.elements.length)
  return longest === undefined || longest.elements.length === 0 ? undefined : longest
}

/** Fixtures have damage in documents; what grows is what they would be without it. */
function withoutDamage(text: string): string {
  return text.replace('": tru,', '": true,').replace(/(":"\w+") "/, '$1, "')
}
