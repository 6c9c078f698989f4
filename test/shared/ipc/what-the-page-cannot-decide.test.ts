import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { channels } from '../../../src/shared/ipc/channels'

const decision = path.resolve(
  import.meta.dirname,
  '../../../docs/decisions/0026-what-the-page-cannot-decide.md',
)

it('every call of the contract has its line in decision 26, with the power that it gives', () => {
  const rows = fs
    .readFileSync(decision, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const listed = rows.flatMap(([, calls = '']) =>
    [...calls.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  expect(listed.sort()).toEqual([...channels('call')].sort())
  for (const [, calls, power] of rows) expect([calls, power]).not.toEqual([calls, ''])
})
