import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { searchCommand } from '../../src/cli/commands/search'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const folder = tempFolders()
const family = ['--root', `cycod=${fixtures}/branches/cycod-family`]

async function search(argv: readonly string[]) {
  return run(searchCommand, [...argv, ...family], { cache: folder() })
}

const linesOf = (out: string) =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const names = (hits: readonly { key: string; entryId: string; field: string }[]) =>
  hits.map(({ key, entryId, field }) => `${key} ${entryId} ${field}`).sort()

it('writes each hit as a line of JSON, as --json has them, and its numbers on standard error', async () => {
  const whole = JSON.parse((await search(['the', '--json', '--limit', '1000'])).out)
  const { out, words, code } = await search(['the', '--jsonl'])
  const hits = linesOf(out)
  expect(hits.length).toBeGreaterThan(3)
  expect(names(hits)).toEqual(names(whole.hits))
  expect(words).toContain(`${hits.length} hits; `)
  expect(code).toBe(0)
})

it('ends at --limit, and prints lines of the text around a hit', async () => {
  const some = await search(['the', '--jsonl', '--limit', '2'])
  expect(linesOf(some.out)).toHaveLength(2)
  expect(some.words).toMatch(/the first 2 that were found shown/)
  const { out } = await search(['the', '--jsonl', '--context', '1'])
  const inTexts = linesOf(out).filter(({ field }) => field !== 'title')
  expect(inTexts.length).toBeGreaterThan(0)
  for (const { context } of inTexts)
    expect(context).toContainEqual(expect.objectContaining({ match: true }))
})

it('writes the hits of a pattern, too', async () => {
  const { out } = await search(['-r', '\\bthe\\b', '--jsonl'])
  const whole = JSON.parse((await search(['-r', '\\bthe\\b', '--json'])).out)
  expect(names(linesOf(out))).toEqual(names(whole.hits))
})

it('takes neither --json nor --group with --jsonl', async () => {
  for (const other of ['--json', '--group', '--facets'])
    await expect(search(['the', '--jsonl', other])).rejects.toThrow('--jsonl prints hits alone')
})

it('has the exit codes of grep where they are asked for', async () => {
  expect((await search(['the', '--exit-code'])).code).toBe(0)
  expect((await search(['no-such-word-anywhere', '--exit-code'])).code).toBe(1)
  expect((await search(['no-such-word-anywhere'])).code).toBe(0)
  expect((await search(['-r', 'no such w.rd', '--exit-code', '--jsonl'])).code).toBe(1)
  const home = folder()
  fs.mkdirSync(path.join(home, 'contexts/garden/transcript/active.jsonl'), { recursive: true })
  const { code } = await run(searchCommand, ['the', '--exit-code', '--home', home], {
    cache: folder(),
  })
  expect(code).toBe(2)
})
