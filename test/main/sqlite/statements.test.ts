import type { Database as Connection, PreparedStatement } from '@sqlite.org/sqlite-wasm'
import { expect, it } from 'vitest'
import { Statements } from '../../../src/main/sqlite/statements'

/** A connection that notes what is done with its statements. */
function watchedConnection(failing = '') {
  const done: string[] = []
  const prepare = (sql: string) => {
    done.push(`prepare ${sql}`)
    const statement = {
      reset() {
        if (sql === failing) throw new Error('it failed before')
        return statement
      },
      finalize: () => void done.push(`finalize ${sql}`),
    }
    return statement as unknown as PreparedStatement
  }
  return { done, statements: new Statements({ prepare } as unknown as Connection) }
}

it('prepares a statement once, however often it is asked', () => {
  const { done, statements } = watchedConnection()
  for (let n = 0; n < 3; n++) statements.giveBack('a', statements.take('a'))
  expect(done).toEqual(['prepare a'])
  statements.close()
  expect(done).toEqual(['prepare a', 'finalize a'])
})

it('lets go of one that failed, and of those that were not asked for longest', () => {
  const { done, statements } = watchedConnection('bad')
  statements.giveBack('bad', statements.take('bad'))
  expect(done).toEqual(['prepare bad', 'finalize bad'])
  for (let n = 0; n < 30; n++) statements.giveBack(`q${n}`, statements.take(`q${n}`))
  expect(done.filter((one) => one.startsWith('finalize q'))).toEqual(
    [0, 1, 2, 3, 4, 5].map((n) => `finalize q${n}`),
  )
})
