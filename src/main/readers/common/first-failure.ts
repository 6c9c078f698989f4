import { AppError } from '../../../shared/model/basics/errors'
import type { FoundName } from './found-files'

/** The first failure of a listing whose parts are looked at one after another: a part that cannot be read hides no other. */
export class FirstFailure {
  private failure: AppError | undefined

  /** The failure, if there was one until now. */
  get first(): AppError | undefined {
    return this.failure
  }

  /** Gives what a part of the listing gives, up to where it cannot be read. */
  async *in<T>(part: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* part
    } catch (error) {
      this.note(error)
    }
  }

  /** Returns what a part of the listing resolves to; `none` where it cannot be read. */
  async or<T>(part: Promise<T>, none: T): Promise<T> {
    try {
      return await part
    } catch (error) {
      this.note(error)
      return none
    }
  }

  /** Notes a name that is passed by because nothing is known of it: it may be a folder. */
  passedBy({ name, stat, fault }: FoundName): void {
    if (stat !== undefined || fault !== undefined) return
    this.failure ??= new AppError('unreadable', `${name} cannot be read.`)
  }

  /** Throws the failure, if there was one: after all that could be listed. @throws AppError `unreadable` */
  throw(): void {
    if (this.failure !== undefined) throw this.failure
  }

  private note(error: unknown): void {
    if (!(error instanceof AppError)) throw error
    this.failure ??= error
  }
}
