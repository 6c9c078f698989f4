import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bundled } from '../support/bundled'
import { writeEntries } from '../support/search-corpus'
import { tempFolders } from '../support/temp-folder'

const folder = tempFolders()
const program = bundled('src/cli/index.ts')

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
function skein(zone: string, argv: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program(), ...argv], {
    env: { ...process.env, TZ: zone, XDG_CACHE_HOME: folder(), HOME: folder() },
    encoding: 'utf8',
  })
  expect([status, stderr.includes('    at ')]).toEqual([0, false])
  return stdout
}

it.each(zones)('every text has the times of %s', (zone, minute) => {
  const home = ['--home', homeWithOneTurn()]
  const day = minute.slice(0, 10)
  expect(skein(zone, ['list', '--messages', ...home])).toMatch(
    new RegExp(`^${minute} .*\n +${minute} {2}needle\n`),
  )
  expect(skein(zone, ['search', '-r', 'needle', ...home])).toMatch(new RegExp(`^${minute} `))
  expect(skein(zone, ['contexts', ...home])).toMatch(new RegExp(`^${minute} `))
  for (const format of ['text', 'pretty', 'simple'])
    expect(skein(zone, ['show', 'one', '--format', format, ...home])).toContain(`${minute}:15`)
  expect(skein(zone, ['duplicates', ...home])).toContain(`1 entries, ${day}`)
  // As a filter understands that day.
  expect(skein(zone, ['list', '--date', day, ...home])).toContain(minute)
})

it('data for scripts has the same times in every zone: ISO 8601 in UTC', () => {
  const home = ['--home', homeWithOneTurn()]
  for (const command of ['list', 'contexts', 'duplicates']) {
    const [first, ...others] = zones.map(([zone]) => skein(zone, [command, '--json', ...home]))
    expect(first).toContain('"updated":"2026-02-28T23:30:15.000Z"')
    for (const other of others) expect(other).toBe(first)
  }
})
