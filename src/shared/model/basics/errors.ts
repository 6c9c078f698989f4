import { z } from 'zod'

/** Every way in which a call can fail that its caller may want to tell apart. */
export const ErrorCode = z.enum([
  'bad-argument',
  'not-found',
  'exists',
  'unreadable',
  'locked',
  'lock-lost',
  'disk-full',
  'read-only',
  'io',
  'no-model',
  'no-key',
  'busy',
  'weak-keychain',
  // A file needs its passphrase, or another one than was given.
  'passphrase',
  'cancelled',
  // A person was asked, and did not allow it.
  'denied',
  'internal',
])
export type ErrorCode = z.infer<typeof ErrorCode>

/** A failure as data: how it crosses from main to the renderer. */
export const ErrorReport = z.object({
  code: ErrorCode,
  /** For people: names the file or context, says what is kept. Never holds a key. */
  message: z.string(),
  /** The technical cause, for "show details". */
  detail: z.string().optional(),
})
export type ErrorReport = z.infer<typeof ErrorReport>

/** An operation failed in a way that people should read about. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly detail: string | undefined

  constructor(code: ErrorCode, message: string, options?: { detail?: string; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = options?.detail
  }

  report(): ErrorReport {
    return {
      code: this.code,
      message: this.message,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
    }
  }
}

/** Throws. For the default branch of a switch over a closed union: the compiler proves that it is never reached. */
export function assertNever(value: never): never {
  throw new Error(`unexpected variant: ${JSON.stringify(value)}`)
}
