import { WorkerClient } from '../disk/process/worker-client'
import type { SqlQuery, StateAnswer, SumQuery } from './database'
import type { Databases } from './databases'
import { SqliteError, type SqliteErrorCode } from './sqlite-error'

/** A question to the thread that reads databases. Plain data, as its answers are. */
export interface DatabaseQuestion {
  readonly path: string
  readonly queries: readonly (SqlQuery | SumQuery)[]
  /** Tables that are read past damage. */
  readonly tables?: readonly string[] | undefined
}

/** The answer to a `DatabaseQuestion`, or why there is none. */
export type DatabaseAnswer =
  | { readonly type: 'answered'; readonly answer: StateAnswer }
  | { readonly type: 'failed'; readonly code: SqliteErrorCode; readonly words: string }

/**
 * Reads databases in a thread of its own, for the app's main thread, which must never wait.
 *
 * @param workerPath the built `sqlite.worker.cjs`
 */
export function threadDatabases(workerPath: string): Databases {
  const thread = new WorkerClient<DatabaseQuestion, DatabaseAnswer>(workerPath)
  return {
    async read(path, queries, tables) {
      const answer = await thread.ask({ path, queries, tables })
      if (answer.type === 'failed') throw new SqliteError(answer.code, answer.words)
      return answer.answer
    },
    close: () => thread.close(),
  }
}

/** Returns the function that answers the questions in the thread. */
export function databaseAnswers(
  databases: Databases,
): (question: DatabaseQuestion) => Promise<DatabaseAnswer> {
  return async ({ path, queries, tables }) => {
    try {
      return { type: 'answered', answer: await databases.read(path, queries, tables) }
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error
      return { type: 'failed', code: error.code, words: error.message }
    }
  }
}
