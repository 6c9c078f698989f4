import type { KeptFile } from '../../store/texts/attachments'

/**
 * A function that keeps a file of a message or an answer in the context's folder, under its digest; it is durable when it resolves.
 *
 * @throws AppError
 */
export type KeepFile = (bytes: Uint8Array, ending: string) => Promise<KeptFile>
