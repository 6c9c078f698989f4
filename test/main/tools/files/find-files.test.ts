import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { globMatcher } from '../../../../src/main/tools/files/glob'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { type Calling, calling } from '../calling'

const temp = tempFolders(memoryFolder)

/** A small project: text, a binary file, hidden files, links outside and in a circle. */
function project(): Calling {
  const root = temp()
  const calls = calling(root)
  fs.writeFileSync(path.join(root, 'secret.md'), 'fern\n')
  calls.put('a.md', 'moss\nfern one\r\nmoss\n')
  calls.put('docs/b.md', 'fern two')
  calls.put('docs/deep/c.txt', 'fern three\nfern four\n')
  calls.put('docs/image.png', Buffer.from('fern\0'))
  calls.put('.git/config', 'fern hidden\n')
  fs.symlinkSync(root, calls.at('docs/up'))
  fs.symlinkSync('.', calls.at('docs/circle'))
  fs.symlinkSync(path.join(root, 'secret.md'), calls.at('out.md'))
  return calls
}

describe('a glob', () => {
  const paths = [
    'a.md',
    'b.txt',
    'docs/a.md',
    'docs/x/a.md',
    'docs/[1].md',
    '.env',
    'a+b.md',
    'é.md',
    'Report (1).md',
    'a|b',
  ]
  it.each([
    ['*.md', ['a.md', 'a+b.md', 'é.md', 'Report (1).md']],
    [
      '**/*.md',
      ['a.md', 'docs/a.md', 'docs/x/a.md', 'docs/[1].md', 'a+b.md', 'é.md', 'Report (1).md'],
    ],
    ['docs/**', ['docs/a.md', 'docs/x/a.md', 'docs/[1].md']],
    ['docs/**/a.md', ['docs/a.md', 'docs/x/a.md']],
    ['?.md', ['a.md', 'é.md']],
    ['[ab].*', ['a.md', 'b.txt']],
    ['[!a].md', ['é.md']],
    ['{a,b}.{md,txt}', ['a.md', 'b.txt']],
    ['docs/[[]1].md', ['docs/[1].md']],
    ['docs/\\[1].md', ['docs/[1].md']],
    ['a+b.md', ['a+b.md']],
    ['.e??', ['.env']],
    ['docs', []],
    ['a,b', []],
    ['Report (1).md', ['Report (1).md']],
    ['a|b', ['a|b']],
    ['"a".md', []],
    [`a.md${'\\'.repeat(99)}`, []],
  ])('%s matches what it should', (glob, expected) => {
    expect(globMatcher(glob)(paths).map((i) => paths[i])).toEqual(expected)
  })

  it('that is none is told', async () => {
    const { error } = project()
    expect(await error('glob_files', { pattern: '{a,b' })).toBe(
      'Error: the glob does not close its brace',
    )
    expect(await error('glob_files', { pattern: 'a}' })).toMatch(/closes a brace that is not open/)
    expect(await error('glob_files', { pattern: '[z-a]' })).toMatch(/cannot be used/)
  })

  it('that could be tried in countless ways ends', async () => {
    const { put, call } = project()
    put(`${'a'.repeat(120)}/${'a'.repeat(200)}`, '')
    await expect(call('glob_files', { pattern: `${'**a'.repeat(60)}b` })).resolves.toBeDefined()
  })
})

describe('finding files', () => {
  it('goes through folders, not through links, and to hidden names when asked', async () => {
    const { text } = project()
    expect(await text('glob_files', { pattern: '**/*.md' })).toBe('a.md\ndocs/b.md')
    expect(await text('glob_files', { pattern: '**' })).toBe(
      'a.md\ndocs/b.md\ndocs/deep/c.txt\ndocs/image.png',
    )
    expect(await text('glob_files', { pattern: '*', path: 'docs' })).toBe('b.md\nimage.png')
    expect(await text('glob_files', { pattern: '.git/*' })).toBe('.git/config')
    expect(await text('glob_files', { pattern: '*.rs' })).toBe('(no file below . matches)')
  })

  it('searches their text, and passes over what is none', async () => {
    const { text } = project()
    expect(await text('grep_files', { pattern: '^fern \\w+$' })).toBe(
      'a.md:2:fern one\ndocs/b.md:1:fern two\ndocs/deep/c.txt:1:fern three\ndocs/deep/c.txt:2:fern four',
    )
    expect(
      await text('grep_files', { pattern: 'one', file_pattern: '*.{md,txt}', context_lines: 1 }),
    ).toBe('a.md-1-moss\na.md:2:fern one\na.md-3-moss')
    expect(await text('grep_files', { pattern: 'fern', file_pattern: 'docs/*.md' })).toBe(
      'docs/b.md:1:fern two',
    )
    expect(await text('grep_files', { pattern: 'zz' })).toBe(
      '(no line in the files below . matches)',
    )
  })

  it('ends with as many as are wanted or fit, and says that there are more', async () => {
    const { text } = project()
    expect(await text('grep_files', { pattern: 'fern', max_results: 3 })).toBe(
      'a.md:2:fern one\ndocs/b.md:1:fern two\ndocs/deep/c.txt:1:fern three\n[Cut after 3 lines: there are more.]',
    )
    expect(await text('grep_files', { pattern: 'fern', max_results: 4 })).not.toContain('Cut')
    expect(await text('glob_files', { pattern: '**', max_results: 1 })).toBe(
      'a.md\n[Cut after 1 line: there are more.]',
    )
    const small = calling(temp(), { maxResultChars: 500 })
    for (let n = 0; n < 100; n += 1) small.put(`file-${n}.md`, 'fern\n'.repeat(100))
    for (const [name, pattern] of [
      ['grep_files', 'fern'],
      ['glob_files', '*'],
    ] as const) {
      const found = await small.text(name, { pattern, max_results: 10_000 })
      expect(found.length).toBeLessThanOrEqual(500)
      expect(found).toMatch(/\n\[Cut after \d+ lines: there are more\.\]$/)
    }
  })

  it('shows nothing of transcripts and keys, when the home is among the folders', async () => {
    const root = temp()
    const { text, home } = calling(root, { allowedPaths: [root] })
    fs.writeFileSync(path.join(home, 'contexts/zoo/transcript/active.jsonl'), 'fern\n')
    fs.writeFileSync(path.join(home, 'config.toml'), 'api_key = "fern"\n')
    fs.writeFileSync(path.join(home, 'contexts/zoo/goals.md'), 'fern\n')
    expect(await text('grep_files', { pattern: 'fern', file_pattern: '{*,.*}' })).toBe(
      'home/contexts/zoo/goals.md:1:fern',
    )
  })
})
