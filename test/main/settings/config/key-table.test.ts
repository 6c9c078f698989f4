import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { apiTable } from '../../../../src/main/settings/config/api-table'
import { findKeySpec } from '../../../../src/main/settings/config/key-table'
import { plainTable } from '../../../../src/main/settings/config/plain-table'

it('docs/configuration.md has each key that Skein uses, under the table that it belongs to', () => {
  const page = fs.readFileSync(
    path.resolve(import.meta.dirname, '../../../../docs/configuration.md'),
    'utf8',
  )
  const [, section = ''] = page.split('\n## The keys\n')
  const named = (section.split('\n## ')[0] ?? '').split('\n').flatMap((row) => {
    const [, cell = ''] = row.split('|')
    const table = /`\[([\w.]+)\]`/.exec(cell)?.[1]
    return [...cell.matchAll(/`(\w+)`/g)].map(([, key = '']) =>
      table === undefined ? key : `${table}.${key}`,
    )
  })
  const keys = [...Object.keys(plainTable), ...Object.keys(apiTable).map((key) => `api.${key}`)]
  expect(keys.length).toBeGreaterThan(30)
  expect(keys.filter((key) => !named.includes(key))).toEqual([])
  // The key of a provider is no value of the table.
  expect(named.filter((key) => findKeySpec(key) === undefined)).toEqual(['api_key'])
})
