import path from 'node:path'
import { expect, it } from 'vitest'
import { writeEntries } from '../support/search-corpus'
import { tempFolders } from '../support/temp-folder'
import { skeinHere } from './skein-here'

const folder = tempFolders()

/** Half an hour before midnight in UTC: the next day in Kolkata, the afternoon before in New York. */
const moment = Date.parse('2026-02-28T23:30:15Z') / 1000

const zones = [
  ['Asia/Kolkata', '2026-03-01 05:00'],
  ['America/New_York', '2026-02-28 18:30'],
] as const

function homeWithOneTurn(): string {
  const home = path.join(folder(), 'home')
  for (const name of ['one', 'copy'])
    writeEntries(home, `contexts/${name}/transcript/active.jsonl`, [
      { id: 'a', from: 'mira', to: name, content: 'needle', timestamp: moment },
    ])
  return home
}

/** Runs `skein` where the clocks show a zone's time. */
async function skein(zone: string, argv: readonly string[]): Promise<string> {
  const environment = { ...process.env, TZ: zone, XDG_CACHE_HOME: folder(), HOME: folder() }
  const { out, words, code } = await skeinHere(argv, environment)
  expect([code, words.includes('    at ')]).toEqual([0, false])
  return out
}

it.each(zones)('every text has the times of %s', async (zone, minute) => {
  const home = ['--home', homeWithOneTurn()]
  const day = minute.slice(0, 10)
  expect(await skein(zone, ['list', '--messages', ...home])).toMatch(
    new RegExp(`^${minute} .*\n +${minute} {2}needle\n`),
  )
  expect(await skein(zone, ['search', '-r', 'needle', ...home])).toMatch(new RegExp(`^${minute} `))
  expect(await skein(zone, ['contexts', ...home])).toMatch(new RegExp(`^${minute} `))
  for (const format of ['text', 'pretty', 'simple'])
    expect(await skein(zone, ['show', 'one', '--format', format, ...home])).toContain(
      `${minute}:15`,
    )
  expect(await skein(zone, ['duplicates', ...home])).toContain(`1 entries, ${day}`)
  // As a filter understands that day.
  expect(await skein(zone, ['list', '--date', day, ...home])).toContain(minute)
})

it('data for scripts has the same times in every zone: ISO 8601 in UTC', async () => {
  const home = ['--home', homeWithOneTurn()]
  for (const command of ['list', 'contexts', 'duplicates']) {
    const texts: string[] = []
    for (const [zone] of zones) texts.push(await skein(zone, [command, '--json', ...home]))
    const [first, ...others] = texts
    expect(first).toContain('"updated":"2026-02-28T23:30:15.000Z"')
    for (const other of others) expect(other).toBe(first)
  }
})
