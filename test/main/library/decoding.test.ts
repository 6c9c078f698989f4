import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decodingVersion } from '../../../src/shared/model/conversation/decoding'
import { type DecodedRoot, decodeRoot, fixtureRoots } from '../../support/decoded-fixtures'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const file = path.join(__dirname, '../../fixtures/decoding.json')
const constant = 'decodingVersion in src/shared/model/conversation/decoding.ts'
const record = 'RECORD_DECODING=1 npx vitest run test/main/library/decoding.test.ts'

const Recorded = z.object({
  version: z.int(),
  roots: z.record(z.string(), z.object({ input: z.string(), result: z.string() })),
})
type Recorded = z.infer<typeof Recorded>

/** What is to be done about results that are not those on record; undefined where they are. */
function demandOf(recorded: Recorded, version: number, now: Recorded['roots']): string | undefined {
  const changed = Object.entries(now)
    .filter(([name, { input, result }]) => {
      const before = recorded.roots[name]
      return before?.input === input && before.result !== result
    })
    .map(([name]) => name)
  if (changed.length > 0 && version <= recorded.version)
    return `Decoders make something else of the same bytes (${changed.join(', ')}). Caches of what they made before must not be used: raise ${constant} to ${recorded.version + 1}, then run ${record}`
  if (version < recorded.version)
    return `Never lower ${constant}: caches of version ${recorded.version} may be anywhere.`
  const isRecorded = JSON.stringify(sorted(now)) === JSON.stringify(sorted(recorded.roots))
  if (isRecorded && version === recorded.version) return undefined
  return `Fixtures or ${constant} have changed. Where decoders changed as well, raise ${constant} to ${recorded.version + 1} first: nothing compares what they make of bytes that are not on record. Then record it: ${record}`
}

const sorted = (roots: Recorded['roots']) =>
  Object.entries(roots).sort(([a], [b]) => (a < b ? -1 : 1))

describe('the version of the decoders', () => {
  it('is raised when a decoder makes something else of the same bytes', async () => {
    const now: Record<string, DecodedRoot> = {}
    for (const root of fixtureRoots()) now[root.name] = await decodeRoot(root, temp())
    const recorded = Recorded.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
    const demand = demandOf(recorded, decodingVersion, now)
    if (process.env.RECORD_DECODING !== undefined && demand?.startsWith('Fixtures')) {
      const roots = Object.fromEntries(sorted(now))
      fs.writeFileSync(
        file,
        `${JSON.stringify({ version: decodingVersion, roots }, undefined, 2)}\n`,
      )
    } else expect(demand).toBeUndefined()
  })

  it('may stay when fixtures come and go, which only have to be recorded', () => {
    const recorded = { version: 3, roots: { a: { input: '1', result: '2' } } }
    const { a } = recorded.roots
    expect(demandOf(recorded, 3, { a })).toBeUndefined()
    const b = { input: '5', result: '6' }
    expect(demandOf(recorded, 3, { a, b })).toContain('record it')
    expect(demandOf(recorded, 3, { a: { input: '3', result: '4' } })).toContain('record it')
    expect(demandOf(recorded, 3, {})).toContain('record it')
  })

  it('cannot stay, nor be lowered, where results of the same bytes changed', () => {
    const recorded = { version: 3, roots: { a: { input: '1', result: '2' } } }
    const a = { input: '1', result: 'other' }
    expect(demandOf(recorded, 3, { a })).toContain('raise decodingVersion')
    expect(demandOf(recorded, 3, { a })).toContain('to 4')
    expect(demandOf(recorded, 4, { a })).toContain('record it')
    expect(demandOf(recorded, 2, recorded.roots)).toContain('Never lower')
  })
})
