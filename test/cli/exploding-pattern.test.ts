import path from 'node:path'
import { expect, it } from 'vitest'
import { searchCommand } from '../../src/cli/commands/search'
import { readNamedRoots } from '../../src/cli/conversations/read-all'
import { searchByPattern } from '../../src/cli/search/regex-search'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { AppError } from '../../src/shared/model/basics/errors'
import { writeEntries } from '../support/search-corpus'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const folder = tempFolders()
/** Doubles its steps with each further letter. */
const exploding = '^(a+)+$'

function homeWith(...contents: readonly string[]): readonly string[] {
  const home = path.join(folder(), 'home')
  const entries = contents.map((content, n) => ({ id: `e${n}`, content }))
  writeEntries(home, 'contexts/garden/transcript/active.jsonl', entries)
  return ['--home', home]
}

it('a search by a pattern that computes without end ends by itself, and says where it was', async () => {
  const home = homeWith('beans', `${'a'.repeat(60)}!`)
  await expect(run(searchCommand, ['-r', exploding, ...home])).rejects.toMatchObject({
    code: 'bad-argument',
    message: 'chibi:garden: The pattern takes too long; try a simpler one.',
  })
})

it.each([
  ['finds nothing', () => []],
  [
    'took too long',
    () => {
      throw new AppError('bad-argument', 'too long')
    },
  ],
])(
  'a search by a pattern stops at a Ctrl+C that came while it computed, and %s',
  async (_, answer) => {
    const stop = new AbortController()
    const reason = new Error('stopped by a person')
    const root = {
      source: 'cycod' as const,
      path: `${fixtures}/branches/cycod-family`,
      writable: false,
    }
    const { value } = await readNamedRoots([root], nodeDisk, stop.signal).next()
    const { conversations } = value.read
    let computed = 0
    const pattern = {
      find: () => {
        computed += 1
        // Events wait while a pattern computes.
        setImmediate(() => stop.abort(reason))
        return answer()
      },
    }
    const options = {
      roles: undefined,
      times: undefined,
      order: 'newest' as const,
      limit: 9,
      signal: stop.signal,
    }
    await expect(searchByPattern(conversations, pattern, options)).rejects.toBe(reason)
    expect([conversations.length > 1, computed]).toEqual([true, 1])
  },
)
