import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { contextsCommand } from '../../src/cli/commands/contexts'
import { exportCommand } from '../../src/cli/commands/export'
import { labelCommand } from '../../src/cli/commands/label'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { openStore } from '../../src/main/store/open-store'
import { checkHome } from '../support/chibi-checker/home'
import { message } from '../support/entries'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const temp = tempFolders()

/** A home with one context of two messages. */
async function garden() {
  const home = path.join(temp(), 'chibi')
  const said = [
    message('Tulips or crocuses?'),
    message('Crocuses.', { role: 'agent', from: 'garden', to: 'user' }),
  ]
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })
  for (const one of said) await writer.append(one)
  await writer.close()
  const config = temp()
  const at = ['--home', home]
  return {
    home,
    ids: said.map(({ id }) => id),
    label: (...argv: string[]) => run(labelCommand, [...argv, ...at], { config }),
    show: (...argv: string[]) => run(showCommand, ['garden', ...argv, ...at], { config }),
    search: (query: string) =>
      run(searchCommand, ['--json', ...at, '--', query], { config, cache: temp() }),
    exported: (format: string) =>
      run(exportCommand, ['garden', '--format', format, ...at], { config }),
    rename: (to: string) => run(contextsCommand, ['rename', 'garden', to, ...at], { config }),
  }
}

it('labels an entry, which label and show print, changes the word or the color, and takes it away', async () => {
  const { home, ids, label, show, search, exported } = await garden()
  const [id = ''] = ids
  const given = await label('garden', id, 'to decide', '--color', 'green')
  expect(given).toMatchObject({
    code: 0,
    words: `Entry ${id} of "garden" has the label "to decide" (green).\n`,
  })
  expect((await label()).out).toBe(`chibi:garden  ${id}  to decide (green)\n`)
  const listed = JSON.parse((await label('garden', '--json')).out)
  expect(listed).toMatchObject({
    labels: [{ source: 'chibi', key: 'garden', entry: id, word: 'to decide', color: 'green' }],
  })
  expect((await show()).out).toMatch(
    /^\[USER\] mira .* {2}\[to decide\]\nTulips or crocuses\?\n\n\[AGENT\] [^[]*\nCro/m,
  )
  expect((await show('-f', 'simple')).out).toContain('  [to decide]  Tulips')
  const entries = JSON.parse((await show('--json')).out).entries
  expect(entries.map((one: { label?: unknown }) => one.label).filter(Boolean)).toEqual([
    { word: 'to decide', color: 'green' },
  ])
  // The beginning of an id is enough; the color stays where a word alone is given, and the word where a color is.
  await label('garden', id.slice(0, 8), 'decided')
  await label('garden', id, '--color', 'red')
  expect((await label('garden', id)).out).toBe(`chibi:garden  ${id}  decided (red)\n`)
  expect(checkHome(home)).toEqual([])

  await label('garden', ids[1] ?? '', 'answer', '--color', 'yellow')
  const found = async (query: string) =>
    JSON.parse((await search(query)).out).hits.map((hit: { entryId: string }) => hit.entryId)
  expect(await found('label:DECIDED')).toEqual([id])
  expect(await found('-label:decided crocuses')).toEqual([ids[1]])
  expect(await found('label:decid')).toEqual([])
  for (const format of ['md', 'html', 'json', 'jsonl'])
    expect((await exported(format)).out).toMatch(/decided[\s\S]*answer/)
  for (const format of ['txt', 'csv', 'openai', 'chibi'])
    expect((await exported(format)).words).toContain('2 labels are left out')
  await label('garden', ids[1] ?? '', '--remove')

  expect((await label('garden', id, '--remove')).words).toContain('has no label any more')
  expect((await label('garden', id, '--remove')).words).toContain('had no label')
  expect(JSON.parse((await label('--json')).out)).toEqual({ labels: [] })
})

it('keeps the label of an entry when its context has another name', async () => {
  const { ids, label, rename } = await garden()
  await label('garden', ids[1] ?? '', 'answer')
  await rename('allotment')
  expect((await label('allotment')).out).toBe(`chibi:allotment  ${ids[1]}  answer (blue)\n`)
})

it("labels an entry of another system's conversation without writing to its files", async () => {
  const config = temp()
  const root = path.join(fixtures, 'branches/cycod-family')
  const at = ['--root', `cycod=${root}`]
  const before = fs.readdirSync(root, { recursive: true })
  const key = 'chat-history-1754437000000'
  const label = (...argv: string[]) => run(labelCommand, [...argv, ...at], { config })
  expect(await label(key, 'L3', 'Idea')).toMatchObject({ code: 0 })
  expect((await label()).out).toBe(`cycod:${key}  L3  Idea (blue)\n`)
  const shown = await run(showCommand, [key, '--json', ...at], { config })
  const labelled = JSON.parse(shown.out).entries.filter((one: { label?: unknown }) => one.label)
  expect(labelled).toMatchObject([{ id: 'L3', label: { word: 'Idea', color: 'blue' } }])
  expect(fs.readdirSync(root, { recursive: true })).toEqual(before)
})

it('refuses entries that are not there, words that are none, and homes that are only read', async () => {
  const { ids, label } = await garden()
  const [id = ''] = ids
  await expect(label('garden', 'nothing', 'x')).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('There is no entry "nothing" in chibi:garden'),
  })
  await expect(label('garden', '', 'x')).rejects.toMatchObject({ code: 'not-found' })
  await expect(label('garden', id, '\u200b')).rejects.toMatchObject({ code: 'bad-argument' })
  await expect(label('garden', id, 'x', '--color', 'pink')).rejects.toThrow('--color is one of')
  await expect(label('garden', id, 'x', '--remove')).rejects.toThrow('--remove')
  await expect(label('garden', '--remove')).rejects.toThrow('--remove')
  await expect(label('--color', 'red')).rejects.toThrow('--color needs')
  await expect(label('garden', id, 'to', 'do')).rejects.toThrow('needs quotes')
  const root = path.join(fixtures, 'chibi/home-v09')
  const only = ['--root', `chibi=${root}`]
  const shown = JSON.parse((await run(showCommand, ['default', '--json', ...only])).out)
  await expect(
    run(labelCommand, ['default', shown.entries[0].id, 'x', ...only], { config: temp() }),
  ).rejects.toMatchObject({ code: 'read-only' })
  expect(fs.existsSync(path.join(root, 'labels.skein.json'))).toBe(false)
})
