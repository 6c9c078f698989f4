import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { unpackingDisk } from '../../../src/main/disk/unpack/unpacking-disk'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { readers } from '../../../src/main/readers/index'
import { drawnOf, tryEach } from '../../support/drawn'
import { readAnyhow } from '../../support/fuzz/read-root'
import { memoryDisk } from '../../support/memory-disk'

const fixtures = path.join(__dirname, '../../fixtures/readers')

/** More levels than JSON.stringify takes. */
const deep = '['.repeat(6000) + ']'.repeat(6000)
const stranges: readonly [how: string, json: string][] = [
  ['a list of 6000 levels', deep],
  ['a text of such a list', JSON.stringify(deep)],
  ['a text of an object that holds one', JSON.stringify(`{"a":${deep}}`)],
]

interface Variant {
  readonly file: string
  readonly place: string
  readonly how: string
  /** Made when it is tried: there are thousands. */
  readonly text: () => string
}

/** A document, or a line, with one of its values replaced: each in turn. */
function* replaced(text: string): Generator<Omit<Variant, 'file'>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return
  }
  for (const [holder, key, place] of placesIn(value, '$')) {
    const was = holder[key]
    holder[key] = '<here>'
    const json = JSON.stringify(value)
    for (const [how, other] of stranges)
      yield { place, how, text: () => json.replace('"<here>"', () => other) }
    holder[key] = was
  }
}

function* placesIn(
  value: unknown,
  at: string,
): Generator<[Record<string, unknown>, string, string]> {
  if (typeof value !== 'object' || value === null) return
  const holder = value as Record<string, unknown>
  for (const key of Object.keys(holder)) {
    yield [holder, key, `${at}.${key}`]
    yield* placesIn(holder[key], `${at}.${key}`)
  }
}

function* variantsOf(file: string, text: string): Generator<Variant> {
  const whole = [...replaced(text)]
  for (const one of whole) yield { ...one, file }
  if (whole.length > 0) return
  const lines = text.split('\n')
  for (const [at, line] of lines.entries())
    for (const one of replaced(line)) {
      const before = lines.slice(0, at)
      const changed = () => [...before, one.text(), ...lines.slice(at + 1)].join('\n')
      yield { ...one, file, place: `line ${at + 1}: ${one.place}`, text: changed }
    }
}

describe.each(readers)('$id', (reader) => {
  it('reads on where a value is nested thousands of levels deep, or a name is longer than any, whichever it is', async () => {
    const folder = path.join(fixtures, reader.id)
    const input = path.join(folder, 'input')
    const root = fs.existsSync(input) ? input : folder
    const files = fs
      .readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => fs.statSync(path.join(root, name)).isFile())
      .filter((name) => !/^(?:expected\.|new-things\.|invented\.)/.test(name))
      .map((name) => ({ name, bytes: fs.readFileSync(path.join(root, name)) }))
    const variants = files
      .filter(({ bytes }) => !bytes.includes(0))
      .flatMap(({ name, bytes }) => [...variantsOf(name, bytes.toString('utf8'))])
    if (variants.length === 0) return
    await tryEach(drawnOf(variants, 1), async ({ file, place, how, text }) => {
      const memory = memoryDisk()
      for (const { name, bytes } of files)
        memory.put(path.posix.join('/source', name), name === file ? Buffer.from(text()) : bytes)
      const given = readAnyhow(reader, '/source', historyDisk(unpackingDisk(memory)))
      const { facts } = await given.catch((error: unknown) => {
        throw new Error(`${how} at ${place} of ${file}`, { cause: error })
      })
      expect(facts.length).toBeGreaterThan(0)
    })
  })
})
