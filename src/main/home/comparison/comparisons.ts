import { AppError } from '../../../shared/model/basics/errors'
import type {
  ComparedRow,
  ComparePoint,
  ComparisonOverview,
} from '../../../shared/model/comparison/comparison-view'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { ComparisonFormat } from '../../../shared/model/export'
import type { Disk } from '../../disk/interface/disk'
import type { Families } from '../../library/families'
import type { Histories } from '../../library/sources/histories'
import { protectedHistories } from '../../library/sources/protected-histories'
import type { LibraryRoot } from '../../library/sources/roots'
import type { TitleStore } from '../../store/given-titles'
import type { Store } from '../../store/store'
import { findExportSource } from '../export/find-source'
import { saveExport } from '../export/save-export'
import type { ComparisonAnswer, ComparisonQuestion } from './comparison-work'
import type { SideJob } from './read-side'

/** Comparisons of two conversations of a home or of other systems. */
export interface Comparisons {
  /**
   * Compares two ways from their fork. One comparison is open at a time: the one before is closed, and its open calls end
   * with `cancelled`.
   *
   * @throws AppError `not-found` a conversation or an entry is gone, `bad-argument` both sides are the same or one is too
   * long, `unreadable`, `cancelled`
   */
  open(left: ComparePoint, right: ComparePoint): Promise<OpenComparison>
  /** Lets the texts of the open comparison go. */
  close(): Promise<void>
}

/** A comparison that is open. Every call throws AppError `cancelled` once it is closed. */
export interface OpenComparison {
  readonly view: ComparisonOverview
  /** Gives rows by number. */
  rows(from: number, limit: number): Promise<readonly ComparedRow[]>
  /** Writes it as a document, whole or not at all; resolves to its bytes. @throws AppError `bad-argument` a place among what is read, `disk-full`, `io` */
  save(file: string, format: ComparisonFormat): Promise<number>
}

/** Answers questions about one comparison at a time. */
export interface Comparer {
  ask(question: ComparisonQuestion): Promise<ComparisonAnswer>
  close(): Promise<void>
}

/** Dependencies of comparisons. */
export interface ComparisonsDeps {
  readonly disk: Disk
  readonly store: Store
  readonly histories: Histories
  readonly titles: Pick<TitleStore, 'look' | 'of'>
  readonly families: Pick<Families, 'fork'>
  /** Roots that are read, and never written to. */
  readonly keptRoots: readonly LibraryRoot[]
  /** Hears of changes to a conversation's files by any process, while it is compared; returns a disposer. */
  readonly follow: (key: LibraryKey) => () => void
  /** Starts one who compares; it starts with the first question. */
  readonly comparer: () => Comparer
}

/** Opens the comparisons of a home. Touches nothing. */
export function openComparisons(deps: ComparisonsDeps): Comparisons {
  const { disk, families, titles } = deps
  /** The one whose texts are held; another one replaces it. */
  let current: Comparer | undefined
  let unfollow: readonly (() => void)[] = []

  async function replace(): Promise<Comparer> {
    const before = current
    const comparer = deps.comparer()
    current = comparer
    letGo()
    await before?.close()
    return comparer
  }

  function letGo(): void {
    for (const end of unfollow) end()
    unfollow = []
  }

  async function ask(comparer: Comparer, question: ComparisonQuestion): Promise<ComparisonAnswer> {
    if (comparer !== current) throw closed()
    let answer: ComparisonAnswer
    try {
      answer = await comparer.ask(question)
    } catch (error) {
      // A thread that is ended fails what it was asked.
      throw comparer === current ? error : closed()
    }
    if (answer.type === 'failed') throw new AppError(answer.code, answer.message)
    return answer
  }

  async function jobsOf(
    left: ComparePoint,
    right: ComparePoint,
  ): Promise<readonly [SideJob, SideJob]> {
    const fork = await families.fork(left, right)
    if (fork.type === 'equal')
      throw new AppError('bad-argument', 'Both sides are the same: there is nothing to compare.')
    if (fork.type === 'missing') {
      const { key } = fork.point
      // Says why, where it is gone or its folder cannot be read.
      await findExportSource(deps, key)
      throw fork.what === 'entry'
        ? new AppError('not-found', 'The entry to compare is no longer in its conversation.')
        : new AppError('unreadable', `"${parseLibraryKey(key).key}" cannot be read.`)
    }
    const jobOf = async ({ key }: ComparePoint, way: SideJob['way']): Promise<SideJob> => {
      const { ref } = await findExportSource(deps, key)
      return { ref, givenTitle: titles.of(key)?.title ?? undefined, way }
    }
    await titles.look()
    return [await jobOf(left, fork.left), await jobOf(right, fork.right)]
  }

  async function* pieces(comparer: Comparer, format: ComparisonFormat): AsyncGenerator<string> {
    for (let isFirst = true; ; isFirst = false) {
      const answer = await ask(comparer, { type: 'document', format, isFirst })
      if (answer.type !== 'text') throw anotherAnswer()
      if (answer.text === '') return
      yield answer.text
    }
  }

  return {
    async open(left, right) {
      const comparer = await replace()
      const [first, second] = await jobsOf(left, right)
      const keys = [left.key, right.key] as const
      const answer = await ask(comparer, { type: 'open', keys, left: first, right: second })
      if (answer.type !== 'view') throw anotherAnswer()
      if (comparer === current) unfollow = [...new Set(keys)].map((key) => deps.follow(key))
      return {
        view: answer.view,
        async rows(from, limit) {
          const rows = await ask(comparer, { type: 'rows', from, limit })
          if (rows.type !== 'rows') throw anotherAnswer()
          return rows.rows
        },
        save: (file, format) =>
          saveExport(
            disk,
            file,
            pieces(comparer, format),
            protectedHistories(disk, deps.keptRoots),
          ),
      }
    },
    async close() {
      const before = current
      current = undefined
      letGo()
      await before?.close()
    },
  }
}

function closed(): AppError {
  return new AppError('cancelled', 'Another comparison was opened, or this one was closed.')
}

function anotherAnswer(): Error {
  return new Error('the comparison gave another answer')
}
