import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { doctorCommand } from '../../src/cli/commands/homes/doctor'
import { listCommand } from '../../src/cli/commands/list'
import { runSkein } from '../../src/cli/skein'
import { type Disk, DiskError } from '../../src/main/disk/interface/disk'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../src/main/search/workers'
import { findingKinds } from '../../src/shared/model/checkup'
import { breakages, homeToDamage, wholeLinesBelow } from '../support/damaged-home'
import { memoryFolder, tempFolders } from '../support/temp-folder'
import { fixtures, type Ran, run } from './run'

const temp = tempFolders(memoryFolder)

interface Found {
  readonly kind: string
  readonly place: string
  readonly repair: string | null
}

const findingsOf = (ran: Ran): readonly Found[] => JSON.parse(ran.out).findings
const namesOf = (found: readonly Found[]) => found.map(({ kind, place }) => `${kind} ${place}`)

async function prepared() {
  const folder = temp()
  const cache = path.join(folder, 'cache')
  const home = await homeToDamage(folder)
  const doctor = (...words: readonly string[]) =>
    run(doctorCommand, ['--home', home, '--json', ...words], {
      config: path.join(folder, 'config'),
      cache,
    })
  const user = path.join(folder, 'config/Skein')
  return { folder, home, cache: path.join(cache, 'skein'), user, doctor }
}

it('finds nothing in homes of chibi and of ours that are as they were written', async () => {
  const { doctor } = await prepared()
  expect(await doctor()).toMatchObject({ code: 0 })
  for (const name of ['home-v05', 'tricky', 'bloom']) {
    const home = path.join(fixtures, 'chibi', name)
    const { code, out, words } = await run(doctorCommand, ['--home', home])
    expect([code, out.trim()]).toEqual([0, ''])
    expect(words).toMatch(/^\d+ conversations?: nothing is wrong\n$/)
  }
})

for (const kind of findingKinds)
  it(`finds ${kind}, and a repair keeps every line`, async () => {
    const { folder, home, cache, user, doctor } = await prepared()
    const { place, breaks } = breakages[kind]
    await breaks(home, cache, user)
    const before = wholeLinesBelow(home)
    const files = fs.readdirSync(home, { recursive: true }).sort()

    const found = await doctor()
    expect(found.code).toBe(1)
    const [one, ...others] = findingsOf(found).filter((finding) => finding.kind === kind)
    expect(one?.place).toContain(place)
    expect(others).toEqual([])
    expect(fs.readdirSync(home, { recursive: true }).sort()).toEqual(files)

    const repaired = await doctor('--repair')
    const offered = findingsOf(found).filter(({ repair }) => repair !== null)
    const value = JSON.parse(repaired.out)
    expect(value.failed ?? []).toEqual([])
    expect(namesOf(value.repaired ?? [])).toEqual(namesOf(offered))
    expect(fs.readdirSync(folder).filter((name) => name.endsWith('.zip'))).toHaveLength(
      offered.length > 0 ? 1 : 0,
    )
    const after = new Set(wholeLinesBelow(home))
    expect(before.filter((line) => !after.has(line))).toEqual([])
    const again = await doctor()
    expect(findingsOf(again).filter(({ repair }) => repair !== null)).toEqual([])
    expect(again.code).toBe(findingsOf(again).length === 0 ? 0 : 1)
  })

it('salvages entries of damaged lines into a new conversation, once, and leaves the file as it is', async () => {
  const { folder, home, doctor } = await prepared()
  const partitions = path.join(home, 'contexts/garden/transcript/partitions')
  const glue = (at: number) => {
    const [file = ''] = fs.readdirSync(partitions).filter((one) => one.endsWith('.jsonl'))
    const lines = fs.readFileSync(path.join(partitions, file), 'utf8').split('\n')
    lines.splice(at, 2, `\0\0${lines[at]}${lines[at + 1]}`)
    fs.writeFileSync(path.join(partitions, file), lines.join('\n'))
    return () => fs.readFileSync(path.join(partitions, file), 'utf8') === lines.join('\n')
  }
  const isAsItWas = glue(1)
  const value = JSON.parse((await doctor('--repair')).out)
  expect(value.failed).toEqual([])
  expect(namesOf(value.repaired)).toEqual([expect.stringMatching(/^lines-damaged /)])
  const contents = (name: string) =>
    wholeLinesBelow(path.join(home, 'contexts', name, 'transcript')).filter((_, n) => n % 2 === 1)
  const all = [1, 2, 3, 4, 5, 6, 7].map((n) => JSON.stringify(`entry ${n} of the garden`))
  expect(contents('garden-salvaged').filter((one) => all.includes(one))).toEqual(all)
  expect(isAsItWas()).toBe(true)

  const again = await doctor('--repair')
  const none = { copy: null, repaired: [], failed: [], stopped: null }
  expect(JSON.parse(again.out)).toMatchObject(none)
  expect(findingsOf(again)).toMatchObject([
    { kind: 'lines-damaged', repair: null },
    { kind: 'partition-changed', repair: null },
  ])

  // More of it is damaged: what was salvaged stays, and the whole is salvaged once more.
  fs.appendFileSync(path.join(home, 'contexts/garden/transcript/active.jsonl'), '{"torn')
  const [line = ''] = wholeLinesBelow(path.join(home, 'contexts/shed/transcript'))
  fs.appendFileSync(path.join(home, 'contexts/garden/transcript/active.jsonl'), `${line}\n`)
  for (const zip of fs.readdirSync(folder).filter((one) => one.endsWith('.zip')))
    fs.rmSync(path.join(folder, zip))
  await doctor('--repair')
  expect(fs.readdirSync(path.join(home, 'contexts')).sort()).toEqual([
    'garden',
    'garden-salvaged',
    'garden-salvaged-2',
    'shed',
  ])
})

it('knows what was salvaged when both conversations have other names', async () => {
  const { home, doctor } = await prepared()
  const partitions = path.join(home, 'contexts/garden/transcript/partitions')
  const [file = ''] = fs.readdirSync(partitions).filter((one) => one.endsWith('.jsonl'))
  const text = fs.readFileSync(path.join(partitions, file), 'utf8')
  fs.writeFileSync(path.join(partitions, file), text.replace('\n', '\n\0\0'))
  expect(JSON.parse((await doctor('--repair')).out).failed).toEqual([])
  const rename = (from: string, to: string) =>
    fs.renameSync(path.join(home, 'contexts', from), path.join(home, 'contexts', to))
  rename('garden', 'beds')
  rename('garden-salvaged', 'kept')
  const damaged = findingsOf(await doctor()).filter(({ kind }) => kind === 'lines-damaged')
  expect(damaged).toMatchObject([{ repair: null, lost: expect.stringMatching(/to "kept"/) }])
})

it('tells what is odd in the list of conversations', async () => {
  const { home, doctor } = await prepared()
  const state = JSON.parse(fs.readFileSync(path.join(home, 'state.json'), 'utf8'))
  const contexts = [...state.contexts, 7]
  fs.writeFileSync(path.join(home, 'state.json'), JSON.stringify({ ...state, contexts }))
  expect(findingsOf(await doctor())).toMatchObject([
    { kind: 'reading-odd', place: 'state.json', repair: null },
  ])
})

it('finds a row of the list that is missing, and keeps in a repair what it alone knows to be gone', async () => {
  const { folder, home, cache, doctor } = await prepared()
  const list = () =>
    run(listCommand, ['--home', home, '--json'], { cache: path.join(folder, 'cache') })
  await list()
  fs.rmSync(path.join(home, 'contexts/shed'), { recursive: true })
  await list()
  const [name = ''] = fs.readdirSync(path.join(cache, 'library'))
  const file = path.join(cache, 'library', name)
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  const left = lines.filter((line) => !line.includes('"key":"garden"'))
  fs.writeFileSync(file, left.map((line) => `${line}\n`).join(''))
  const found = findingsOf(await doctor()).filter(({ kind }) => kind === 'cache-damaged')
  expect(found).toMatchObject([{ happened: expect.stringMatching(/1 of its 2 rows could not/) }])
  expect(JSON.parse((await doctor('--repair')).out).failed).toEqual([])
  expect(fs.readFileSync(file, 'utf8')).toMatch(/"key":"shed".*"gone":true/)
  expect(findingsOf(await doctor()).filter(({ kind }) => kind === 'cache-damaged')).toEqual([])
})

it('says in words what it found, and what it did', async () => {
  const { folder, home } = await prepared()
  fs.writeFileSync(path.join(home, 'titles.skein.json'), '{"titles": [{"key": "garden"')
  const options = { config: path.join(folder, 'config'), cache: path.join(folder, 'cache') }
  const found = await run(doctorCommand, ['--home', home], options)
  expect(found.out).toMatch(/^titles\.skein\.json: titles-damaged\n {2}.+\n {2}lost {6}.+\n/)
  expect(found.words).toBe('2 conversations: 1 finding; --repair can mend 1\n')
  const copies = path.join(folder, 'copies')
  fs.mkdirSync(copies)
  const argv = ['--home', home, '--repair', '--copy', copies]
  const repaired = await run(doctorCommand, argv, { ...options, now: '2026-11-30T08:15:02Z' })
  expect([repaired.code, fs.readdirSync(copies)]).toEqual([0, ['skein-2026-11-30-081502.zip']])
  expect(repaired.out).toMatch(/^titles\.skein\.json: repaired\n/)
  expect(repaired.words).toMatch(
    /^The home as it was: .+\n2 conversations, 1 repaired: nothing is wrong\n$/,
  )
  expect(fs.readFileSync(path.join(home, 'titles.skein.json.damaged-1'), 'utf8')).toBe(
    '{"titles": [{"key": "garden"',
  )
})

it('keeps titles, colours and what is hidden, each in its list, when the file of titles is made anew', async () => {
  const { home, doctor } = await prepared()
  const file = path.join(home, 'titles.skein.json')
  const given = JSON.parse(fs.readFileSync(file, 'utf8'))
  const inFolder = { key: 'hut', in_folder: true }
  const text = JSON.stringify({ rows: given.rows, titles: [...given.titles, inFolder] })
  fs.writeFileSync(file, text.slice(0, -2))
  expect(JSON.parse((await doctor('--repair')).out)).toMatchObject({ failed: [], findings: [] })
  const { titles, rows } = JSON.parse(fs.readFileSync(file, 'utf8'))
  expect([titles, rows]).toEqual([[...given.titles, inFolder], given.rows])
})

it('ends with 1 where a repair failed', async () => {
  const { folder, home } = await prepared()
  const cache = path.join(folder, 'cache')
  fs.mkdirSync(path.join(cache, 'skein/models'), { recursive: true })
  fs.writeFileSync(path.join(cache, 'skein/models/one.json'), '{')
  const refused: string[] = []
  const disk: Disk = {
    ...nodeDisk,
    unlink: async (target) => {
      if (!target.startsWith(cache)) return nodeDisk.unlink(target)
      refused.push(target)
      throw new DiskError('denied', target, 'permission denied')
    },
    // By then somebody else has deleted it: nothing is wrong, and the repair failed all the same.
    list: async (target) => {
      if (target === home) for (const file of refused) fs.rmSync(file, { force: true })
      return nodeDisk.list(target)
    },
  }
  const argv = ['--home', home, '--json', '--repair']
  const more = { config: path.join(folder, 'config'), cache, disk }
  const { code, out, words } = await run(doctorCommand, argv, more)
  expect(JSON.parse(out)).toMatchObject({ findings: [], failed: [{ why: 'permission denied' }] })
  expect(code).toBe(1)
  expect(words).toMatch(/ was not repaired: permission denied\n/)
})

it('changes nothing where the copy cannot be made', async () => {
  const { home, doctor } = await prepared()
  fs.writeFileSync(path.join(home, 'session.json'), '{')
  await expect(doctor('--repair', '--copy', home)).rejects.toMatchObject({ code: 'bad-argument' })
  expect(fs.readFileSync(path.join(home, 'session.json'), 'utf8')).toBe('{')
})

it('keeps titles, flags and times that belong to a context when state.json is made anew', async () => {
  const { home, doctor } = await prepared()
  const given = { key: 'garden', title: 'Two beds', by: 'person', at: 1, created_at: 1234 }
  fs.writeFileSync(path.join(home, 'titles.skein.json'), JSON.stringify({ titles: [given] }))
  const shed = '{"name":"shed","created_at":77,"destroy_at":0,"more":true}'
  fs.writeFileSync(path.join(home, 'state.json'), `{"contexts":[${shed},{"name":"gar`)
  await doctor('--repair')
  const { contexts } = JSON.parse(fs.readFileSync(path.join(home, 'state.json'), 'utf8'))
  expect(contexts).toMatchObject([{ name: 'garden', created_at: 1234 }, JSON.parse(shed)])
})

it.each([[['more']], [['--copy', 'x']], [['--root', 'chibi=/']]])('refuses %j', async (words) => {
  const { doctor } = await prepared()
  await expect(doctor(...words)).rejects.toMatchObject({ name: 'UsageError' })
})

it('ends with 2 where it could not look: 1 means findings', async () => {
  const said: string[] = []
  const code = await runSkein(['doctor', '--home', path.join(temp(), 'none')], {
    disk: nodeDisk,
    output: {
      write: async () => undefined,
      say: (text) => void said.push(text),
      isTerminal: false,
    },
    environment: { XDG_CONFIG_HOME: '/dev/null', XDG_CACHE_HOME: '/dev/null' },
    readInput: async () => undefined,
    signal: new AbortController().signal,
    practiceWorker: '/nowhere/practice.worker.cjs',
    readPdf: async () => ({ fault: 'is not read here' }),
    searchWorkers: () => inlineWorkers(nodeDisk, searchDecoders),
    version: () => '',
    isReaderGone: () => false,
  })
  expect([code, said.join()]).toEqual([2, expect.stringMatching(/^There is nothing at /)])
})
