import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { type HomeTexts, openHomeTexts } from '../../../../src/main/settings/texts/home-texts'
import { HomeTextName } from '../../../../src/shared/model/settings/home-texts'
import { faultyDisk } from '../../../support/faulty-disk'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
let home = ''
let texts: HomeTexts
beforeEach(() => {
  home = path.join(folder(), 'home')
  fs.mkdirSync(home)
  texts = openHomeTexts(nodeDisk, home)
})

const reflection = () => path.join(home, 'prompts/reflection.md')

describe('the texts of a home', () => {
  it('are listed whether they are there or not, and other prompts after them', async () => {
    fs.mkdirSync(path.join(home, 'prompts'))
    fs.writeFileSync(path.join(home, 'prompts/zoo.md'), 'be')
    fs.writeFileSync(path.join(home, 'prompts/notes.txt'), 'no prompt')
    fs.writeFileSync(path.join(home, 'AGENTS.md'), 'work')
    expect(await texts.list()).toEqual([
      { name: 'prompts/chibi.md', bytes: null },
      { name: 'prompts/reflection.md', bytes: null },
      { name: 'AGENTS.md', bytes: 4 },
      { name: 'prompts/compaction.md', bytes: null },
      { name: 'prompts/continuation.md', bytes: null },
      { name: 'prompts/title.md', bytes: null },
      { name: 'models.toml', bytes: null },
      { name: 'prompts/zoo.md', bytes: 2 },
    ])
  })

  it('are made with their folder, replaced with their permissions and byte order mark, and removed', async () => {
    await texts.write('prompts/reflection.md', 'Be brief.', null)
    expect(fs.readFileSync(reflection(), 'utf8')).toBe('Be brief.')
    fs.writeFileSync(reflection(), '\uFEFFBe kind.')
    fs.chmodSync(reflection(), 0o640)
    expect(await texts.read('prompts/reflection.md')).toBe('Be kind.')
    await texts.write('prompts/reflection.md', 'Be both.', 'Be kind.')
    expect(fs.readFileSync(reflection(), 'utf8')).toBe('\uFEFFBe both.')
    expect(fs.statSync(reflection()).mode & 0o777).toBe(0o640)
    await texts.write('prompts/reflection.md', null, 'Be both.')
    expect(fs.existsSync(reflection())).toBe(false)
  })

  it('are not written over what changed meanwhile', async () => {
    await texts.write('AGENTS.md', 'one', null)
    await expect(texts.write('AGENTS.md', 'mine', null)).rejects.toMatchObject({ code: 'busy' })
    await expect(texts.write('AGENTS.md', null, 'two')).rejects.toMatchObject({ code: 'busy' })
    expect(await texts.read('AGENTS.md')).toBe('one')
  })

  it('stay as they were when the disk is full', async () => {
    await texts.write('AGENTS.md', 'one', null)
    const full = openHomeTexts(
      faultyDisk(nodeDisk, { at: 1, fault: 'no-space', forEver: true }),
      home,
    )
    await expect(full.write('AGENTS.md', 'two', 'one')).rejects.toMatchObject({ code: 'disk-full' })
    expect(await texts.read('AGENTS.md')).toBe('one')
    expect(fs.readdirSync(home)).toEqual(['AGENTS.md'])
  })

  it('of models.toml are refused with their line where they are no TOML', async () => {
    await texts.write('models.toml', '[models."a/b"]\ncontext_window = 9\n', null)
    await expect(
      texts.write('models.toml', '[models\n', '[models."a/b"]\ncontext_window = 9\n'),
    ).rejects.toMatchObject({ code: 'bad-argument', message: expect.stringMatching(/^Line 1 /) })
    expect(await texts.read('models.toml')).toMatch(/^\[models\."a\/b"\]/)
  })

  it.each([
    '[models."a/b".api]\napi_key = "sk-1"\n',
    '[models]\n"a/b" = { context_window = 9, "token" = "sk-1" }\n',
    '# API_KEY="sk-1"\n',
  ])('of models.toml with a key reach no window: %j', async (text) => {
    await expect(texts.write('models.toml', text, null)).rejects.toMatchObject({
      code: 'bad-argument',
    })
    fs.writeFileSync(path.join(home, 'models.toml'), text)
    const refused = await texts.read('models.toml').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'read-only' })
    expect(String(refused)).not.toContain('sk-1')
    await expect(texts.write('models.toml', '', text)).rejects.toMatchObject({ code: 'read-only' })
  })

  it.each([
    [
      'a file',
      'AGENTS.md',
      (outside: string) => fs.symlinkSync(path.join(outside, 'rc'), path.join(home, 'AGENTS.md')),
    ],
    [
      'a folder',
      'prompts/rc.md',
      (outside: string) => fs.symlinkSync(outside, path.join(home, 'prompts')),
    ],
    [
      'nothing',
      'AGENTS.md',
      (outside: string) => fs.symlinkSync(path.join(outside, 'new'), path.join(home, 'AGENTS.md')),
    ],
  ] as const)('that are links out of the home to %s are left alone', async (_, name, link) => {
    const outside = folder()
    fs.writeFileSync(path.join(outside, 'rc'), 'mine')
    fs.writeFileSync(path.join(outside, 'rc.md'), 'mine')
    link(outside)
    await expect(texts.read(name)).rejects.toMatchObject({ code: 'read-only' })
    await expect(texts.write(name, 'x', 'mine')).rejects.toMatchObject({ code: 'read-only' })
    expect((await texts.list()).find((text) => text.name === name)?.fault ?? 'not listed').toMatch(
      /is a link to outside the home|not listed/,
    )
    expect(
      fs.readdirSync(outside).map((file) => fs.readFileSync(path.join(outside, file), 'utf8')),
    ).toEqual(['mine', 'mine'])
  })

  it('that are no UTF-8 are said so, and not changed', async () => {
    fs.writeFileSync(path.join(home, 'AGENTS.md'), Buffer.from([0xff, 0xfe, 0x41]))
    await expect(texts.read('AGENTS.md')).rejects.toMatchObject({ code: 'unreadable' })
    await expect(texts.write('AGENTS.md', 'x', null)).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('have no names but their own', () => {
    for (const name of [
      'config.toml',
      'prompts/../x.md',
      'prompts/a/b.md',
      'prompts/.md',
      '../AGENTS.md',
      'prompts/a.md\n',
    ])
      expect([name, HomeTextName.safeParse(name).success]).toEqual([name, false])
  })
})

it('a text that another changes while it is removed stays', async () => {
  await texts.write('AGENTS.md', 'mine', null)
  const file = path.join(home, 'AGENTS.md')
  const meanwhile = openHomeTexts(
    {
      ...nodeDisk,
      async rename(from, to) {
        if (from === file) fs.writeFileSync(file, 'theirs')
        await nodeDisk.rename(from, to)
      },
      async unlink(target) {
        if (target === file) fs.writeFileSync(file, 'theirs')
        await nodeDisk.unlink(target)
      },
    },
    home,
  )
  await expect(meanwhile.write('AGENTS.md', null, 'mine')).rejects.toMatchObject({ code: 'busy' })
  expect(await texts.read('AGENTS.md')).toBe('theirs')
  expect(fs.readdirSync(home)).toEqual(['AGENTS.md'])
})

describe('the saved prompts of a home', () => {
  const prompts = () => path.join(home, 'prompts')
  const has = (name: string) => fs.existsSync(path.join(prompts(), name))

  it('are all files of prompts but those that have a meaning; one that cannot be read says why', async () => {
    fs.mkdirSync(prompts())
    fs.writeFileSync(path.join(prompts(), 'chibi.md'), 'the system prompt')
    fs.writeFileSync(
      path.join(prompts(), 'review.md'),
      '# Review {{what}}\nin {{language:English}}',
    )
    fs.writeFileSync(path.join(prompts(), 'latin.md'), Buffer.from([0x66, 0xfc, 0x72]))
    fs.writeFileSync(path.join(prompts(), 'two words.md'), 'no name that can be typed')
    expect(await texts.prompts()).toEqual([
      {
        name: 'latin',
        about: '',
        fields: [],
        fault: 'prompts/latin.md is not UTF-8 text and cannot be changed here.',
      },
      {
        name: 'review',
        about: 'Review {{what}}',
        fields: [{ name: 'what' }, { name: 'language', default: 'English' }],
      },
      {
        name: 'two words',
        about: '',
        fields: [],
        fault: 'It has letters, digits, “-”, “_” and “.”, and no spaces.',
      },
    ])
    fs.rmSync(prompts(), { recursive: true })
    expect(await texts.prompts()).toEqual([])
  })

  it('are written for their owner alone, and get another name with the same bytes', async () => {
    await texts.write('prompts/a.md', 'one', null)
    expect(fs.statSync(path.join(prompts(), 'a.md')).mode & 0o777).toBe(0o600)
    fs.writeFileSync(path.join(prompts(), 'a.md'), '\uFEFFone\r\n')
    await texts.rename('prompts/a.md', 'prompts/b.md')
    expect(has('a.md')).toBe(false)
    expect(fs.readFileSync(path.join(prompts(), 'b.md'), 'utf8')).toBe('\uFEFFone\r\n')
    expect(fs.statSync(path.join(prompts(), 'b.md')).mode & 0o777).toBe(0o600)
  })

  it('get no name that is taken, has a meaning or leads elsewhere, and both files stay as they are', async () => {
    await texts.write('prompts/a.md', 'one', null)
    await texts.write('prompts/b.md', 'two', null)
    await expect(texts.rename('prompts/a.md', 'prompts/b.md')).rejects.toMatchObject({
      code: 'bad-argument',
    })
    await expect(texts.rename('prompts/a.md', 'prompts/chibi.md')).rejects.toMatchObject({
      code: 'bad-argument',
    })
    await expect(texts.rename('prompts/a.md', 'AGENTS.md')).rejects.toMatchObject({
      code: 'bad-argument',
    })
    await expect(texts.rename('prompts/gone.md', 'prompts/c.md')).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(await texts.read('prompts/a.md')).toBe('one')
    expect(await texts.read('prompts/b.md')).toBe('two')
    expect(has('c.md')).toBe(false)
  })

  it('that nobody can type are listed with the reason, on a disk that tells case apart too', async () => {
    fs.mkdirSync(prompts())
    for (const name of ['Title.md', 'con.md', 'shout.MD', '.hidden.md', 'title.md'])
      fs.writeFileSync(path.join(prompts(), name), 'text')
    expect((await texts.prompts()).map(({ name, fault }) => [name, fault])).toEqual([
      ['Title', '“Title” has a meaning of its own in this home.'],
      ['con', '“con” is the name of a device on Windows.'],
      ['shout.MD', 'The name of its file does not end in “.md”.'],
    ])
  })

  it('are read again only after a change', async () => {
    await texts.write('prompts/a.md', 'one', null)
    await texts.write('prompts/b.md', 'two', null)
    let opened: string[] = []
    const counting = openHomeTexts(
      {
        ...nodeDisk,
        open: (file, ...rest) => {
          opened.push(path.basename(file))
          return nodeDisk.open(file, ...rest)
        },
      },
      home,
    )
    await counting.prompts()
    expect(opened).toEqual(['a.md', 'b.md'])
    opened = []
    fs.writeFileSync(path.join(prompts(), 'b.md'), 'changed again')
    expect((await counting.prompts()).map(({ about }) => about)).toEqual(['one', 'changed again'])
    expect(opened).toEqual(['b.md'])
  })

  it.each([
    ['in place', (file: string) => fs.writeFileSync(file, 'theirs')],
    [
      'as a new file',
      (file: string) => {
        fs.writeFileSync(`${file}.new`, 'theirs')
        fs.renameSync(`${file}.new`, file)
      },
    ],
  ])('keep what another writes %s while one is renamed or deleted', async (_, edit) => {
    const meanwhile = openHomeTexts(
      {
        ...nodeDisk,
        async link(from, to) {
          if (from === path.join(prompts(), 'a.md')) edit(from)
          await nodeDisk.link(from, to)
          edit(from)
        },
      },
      home,
    )
    const all = () =>
      fs.readdirSync(prompts()).map((name) => fs.readFileSync(path.join(prompts(), name), 'utf8'))
    await texts.write('prompts/a.md', 'mine', null)
    await meanwhile.rename('prompts/a.md', 'prompts/b.md')
    expect(all()).toContain('theirs')
    fs.rmSync(prompts(), { recursive: true })
    await texts.write('prompts/a.md', 'mine', null)
    await meanwhile.write('prompts/a.md', null, 'mine')
    expect(all()).toContain('theirs')
  })

  it('stay links where they are links inside of the home', async () => {
    await texts.write('AGENTS.md', 'work', null)
    fs.mkdirSync(prompts())
    fs.symlinkSync('../AGENTS.md', path.join(prompts(), 'a.md'))
    await texts.rename('prompts/a.md', 'prompts/b.md')
    expect(fs.readlinkSync(path.join(prompts(), 'b.md'))).toBe('../AGENTS.md')
    expect(has('a.md')).toBe(false)
  })

  it('have names that differ in more than their case; a rename may change the case', async () => {
    await texts.write('prompts/review.md', 'one', null)
    await texts.rename('prompts/review.md', 'prompts/Review.md')
    expect(fs.readdirSync(prompts())).toEqual(['Review.md'])
    await texts.write('prompts/b.md', 'two', null)
    for (const refused of [
      texts.rename('prompts/b.md', 'prompts/REVIEW.md'),
      texts.write('prompts/REVIEW.md', 'three', null),
    ])
      await expect(refused).rejects.toMatchObject({
        code: 'bad-argument',
        message: 'There is a prompt “Review”.',
      })
  })

  it('change their case on a disk that ignores it', async () => {
    await texts.write('prompts/review.md', 'one', null)
    const lower = (file: string) => path.join(path.dirname(file), path.basename(file).toLowerCase())
    const ignoring = openHomeTexts(
      {
        ...nodeDisk,
        stat: (file) => nodeDisk.stat(fs.existsSync(file) ? file : lower(file)),
        async link(from, to) {
          if (fs.existsSync(lower(to))) throw new DiskError('exists', to, 'there')
          await nodeDisk.link(from, to)
        },
      },
      home,
    )
    await ignoring.rename('prompts/review.md', 'prompts/Review.md')
    expect(fs.readdirSync(prompts())).toEqual(['Review.md'])
  })

  it('are kept when they are deleted, each of them, and come back as they were', async () => {
    fs.mkdirSync(prompts())
    const whole = '\uFEFFone\r\n'
    fs.writeFileSync(path.join(prompts(), 'a.md'), whole, { mode: 0o640 })
    await texts.write('prompts/a.md', null, 'one\r\n')
    await texts.write('prompts/a.md', 'another', null)
    await texts.write('prompts/a.md', null, 'another')
    expect(await texts.prompts()).toEqual([])
    expect(fs.readdirSync(prompts()).sort()).toEqual(['a.deleted-2.md', 'a.deleted.md'])
    await texts.rename('prompts/a.deleted.md', 'prompts/a.md')
    expect(fs.readFileSync(path.join(prompts(), 'a.md'), 'utf8')).toBe(whole)
    expect(fs.statSync(path.join(prompts(), 'a.md')).mode & 0o777).toBe(0o640)
    await expect(texts.rename('prompts/a.deleted-2.md', 'prompts/a.md')).rejects.toMatchObject({
      code: 'bad-argument',
    })
    await texts.write('prompts/a.deleted-2.md', null, 'another')
    expect(fs.readdirSync(prompts())).toEqual(['a.md'])
  })
})
