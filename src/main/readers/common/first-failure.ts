import { AppError } from '../../../shared/model/basics/errors'

/** The first failure of a listing whose parts are looked at one after another: a part that cannot be read hides no other. */
export class FirstFailure {
  private failure: AppError | undefined

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

  /** Throws the failure, if there was one: after all that could be listed. @throws AppError `unreadable` */
  throw(): void {
    if (this.failure !== undefined) throw this.failure
  }

  private note(error: unknown): void {
    if (!(error instanceof AppError)) throw error
    this.failure ??= error
  }
}
