import { AppError, type ErrorReport } from '../../../shared/model/basics/errors'

/** Turns anything thrown into a report for people; other than an `AppError` it becomes `internal`. */
export function toErrorReport(error: unknown): ErrorReport {
  if (error instanceof AppError) return error.report()
  return {
    code: 'internal',
    message: 'Something went wrong in Skein. Nothing on disk has changed.',
    detail: error instanceof Error ? error.message : String(error),
  }
}
