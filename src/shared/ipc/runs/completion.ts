import { z } from 'zod'
import { isPdf, PdfReading, pdfLimits } from '../../model/attachments/pdf'
import { longestOf, textAmountFault, textFileLimits } from '../../model/attachments/text-files'
import { LibraryKey } from '../../model/conversation/conversation'
import { EntryId } from '../../model/conversation/entry'
import { imageLimits } from '../../model/conversation/images'
import { CompactionProgress, RunFailure, RunId } from '../../model/run/run'
import { call, event } from '../wire/primitives'

/** State of a run as the app window shows it. */
export const RunState = z.object({
  runId: RunId,
  key: LibraryKey,
  phase: z.enum(['sending', 'streaming', 'retrying', 'complete', 'stopped', 'failed']),
  model: z.string().optional(),
  attempt: z.int().optional(),
  /** The id that the answer's entry will have: once that is there, the streamed text is no longer shown. */
  answerId: EntryId.optional(),
  /** With `sending`: when the request went out, in Unix milliseconds. Absent while no answer is waited for. */
  sentAtMs: z.number().optional(),
  /** With `retrying`: when the next attempt starts, in Unix milliseconds. */
  retryAtMs: z.number().optional(),
  /** While the window is made smaller before a request. */
  compaction: CompactionProgress.optional(),
  failure: RunFailure.optional(),
  /** With `complete`: the server ended the last answer before it was whole. */
  unfinished: z.literal(true).optional(),
})
export type RunState = z.infer<typeof RunState>

/** Names one question for as long as it waits; ids of calls are the model's own, and may come again. */
export const ConsentId = z.string().min(1).max(100).brand<'ConsentId'>()
export type ConsentId = z.infer<typeof ConsentId>

/** A call that waits for a person's word. All of its text is the model's: hostile. */
export const ConsentAsked = z.object({
  consentId: ConsentId,
  key: LibraryKey,
  runId: RunId,
  /** The `tool_call_id` of its entries. */
  callId: z.string(),
  tool: z.string(),
  /** One line: what would be done. */
  title: z.string(),
  /** A unified diff, where a file would change. */
  diff: z.string().optional(),
  /** The arguments that the tool would get, as JSON. */
  arguments: z.string(),
  /** SHA-256 of all that is asked, lower-case hex: a word names it, so that it holds for this and nothing else. */
  digest: z.string(),
})
export type ConsentAsked = z.infer<typeof ConsentAsked>

/** `always`: every call of that tool in that conversation, until Skein is closed; a file's folder and risk still count. */
export const ConsentDecision = z.enum(['once', 'always', 'denied'])
export type ConsentDecision = z.infer<typeof ConsentDecision>

/** An image as the window gives it: its name is shown, its bytes alone say what it is. */
const ImageDraft = z.object({
  name: z.string().max(4096),
  bytes: z
    .instanceof(Uint8Array)
    .refine((bytes) => bytes.length > 0 && bytes.length <= imageLimits.bytes, 'too large'),
})

/** Bytes of a text file or a PDF. */
const FileBytes = z
  .instanceof(Uint8Array)
  .refine((bytes) => bytes.length > 0 && bytes.length <= longestOf({ bytes }), 'too large')

/** A text file as the window gives it: its bytes are decoded again here. A PDF comes with the text that `readPdf` gave. */
const TextFileDraft = z.object({
  name: z.string().max(4096),
  bytes: FileBytes,
  text: z
    .string()
    .max(2 * pdfLimits.text)
    .optional(),
})

const MessageDraft = z.object({
  /** May be '' where an image or a file is the whole message. */
  text: z.string().max(4_000_000),
  images: z.array(ImageDraft).max(imageLimits.count).optional(),
  /** They stand in the message, each in a frame with its name. */
  files: z.array(TextFileDraft).max(textFileLimits.count).optional(),
})

type MessageDraft = z.infer<typeof MessageDraft>

function saysSomething({ text, images = [], files = [] }: MessageDraft): boolean {
  return text !== '' || images.length > 0 || files.length > 0
}

function fitsTogether({ images = [], files = [] }: MessageDraft): boolean {
  const bytesOf = (all: readonly { readonly bytes: Uint8Array }[]) =>
    all.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return bytesOf(images) <= imageLimits.totalBytes && textAmountFault(files) === undefined
}

/** Calls and events of runs: sending a message, trying again, stopping, approvals, the streamed answer. */
export const completionContract = {
  /**
   * Creates a conversation with its first message and asks the model. Resolves when the message is durable, its images before
   * it. Throws `no-model`, `no-key`, `disk-full`, `bad-argument` (what is no image, or no text file): then no message was written.
   */
  begin: call(
    MessageDraft.refine(saysSomething, 'nothing is said').refine(
      fitsTogether,
      'too large together',
    ),
    z.object({ key: LibraryKey, runId: RunId }),
  ),
  /**
   * Writes the person's message and asks the model. Resolves when the message is durable, its images before it. Throws
   * `not-found`, `locked`, `busy` (a run is going on there), `no-model`, `no-key`, `disk-full`, `bad-argument` (what is no
   * image): then no message was written.
   */
  start: call(
    MessageDraft.extend({ key: LibraryKey })
      .refine(saysSomething, 'nothing is said')
      .refine(fitsTogether, 'too large together'),
    z.object({ runId: RunId }),
  ),
  /**
   * Reads the text of a PDF, which goes with a message; one after the other, each in a minute at most. What it cannot be read for is in the
   * answer. The page names the reading, by which it is stopped.
   */
  readPdf: call(
    z.object({
      readingId: z.string().min(1).max(64),
      bytes: FileBytes.refine(isPdf, 'is no PDF'),
    }),
    PdfReading,
  ),
  /** Stops the reading of a PDF; does nothing when it has ended. */
  stopPdf: call(z.object({ readingId: z.string().max(64) }), z.void()),
  /** Asks the model again from the window as it is, without a new message. */
  retry: call(z.object({ key: LibraryKey }), z.object({ runId: RunId })),
  /** Stops a run; what came stays, marked. Does nothing when it has ended. */
  cancel: call(z.object({ runId: RunId }), z.void()),
  /** Returns what is going on now, for a window that was reloaded: the text so far included. */
  running: call(
    z.void(),
    z.array(RunState.extend({ content: z.string(), reasoning: z.string(), nextSeq: z.int() })),
  ),
  /**
   * What was pressed on a call that waits. Yes is not enough for what changes files: main asks outside of the page, once
   * for a conversation and a folder, and each time where a file is more than words; who refuses there has denied the call.
   * Does nothing when the question has ended. Throws `bad-argument` for another digest, `busy`: then it waits on.
   */
  decide: call(
    z.object({ consentId: ConsentId, digest: z.string(), decision: ConsentDecision }),
    z.void(),
  ),
  /** The calls that wait now, oldest first, for a window that was reloaded. */
  asking: call(z.void(), z.array(ConsentAsked)),
  delta: event(
    z.object({
      runId: RunId,
      key: LibraryKey,
      seq: z.int(),
      /** `parted`: all content before were thoughts; its text is empty. */
      kind: z.enum(['content', 'reasoning', 'parted']),
      text: z.string(),
    }),
  ),
  state: event(RunState),
  consentAsked: event(ConsentAsked),
  /** It was decided, here or elsewhere, or its run was stopped. */
  consentEnded: event(z.object({ key: LibraryKey, consentId: ConsentId })),
}
