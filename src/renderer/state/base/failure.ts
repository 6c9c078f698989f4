import { AppError, type ErrorReport } from '../../../shared/model/basics/errors'

/** Any thrown thing as a report for people; what is not an `AppError` is a fault of ours and says so. */
export function toErrorReport(error: unknown): ErrorReport {
  if (error instanceof AppError) return error.report()
  return {
    code: 'internal',
    message: 'Something went wrong in Skein. Nothing on disk has changed.',
    detail: error instanceof Error ? error.message : String(error),
  }
}
