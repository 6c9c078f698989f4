import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hookPoints } from '../../../../src/main/tools/hooks/hooks'

it('docs/plugins.md has the payload of each point at which plugins are called, and of no other', () => {
  const page = fs.readFileSync(
    path.resolve(import.meta.dirname, '../../../../docs/plugins.md'),
    'utf8',
  )
  const [, section = ''] = page.split('\n## Hooks\n')
  const [, table = ''] = section.split('\n| point | payload | answer |\n')
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(1)
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, point]) => point),
  )
  expect([...named].sort()).toEqual([...hookPoints].sort())
})
