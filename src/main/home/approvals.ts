import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import type { RunId } from '../../shared/model/run/run'
import type { ConsentAnswer, ConsentQuestion } from '../llm/steps/consent'
import { callQuestion, type PermissionAnswer } from '../permission/consent-question'
import type { Permissions } from '../permission/permissions'

/** A call that waits for a person's approval. All of its text is the model's: hostile. */
export interface PendingApproval {
  /** Names the question as long as it waits. */
  readonly consentId: string
  readonly key: LibraryKey
  readonly runId: RunId
  /** The `tool_call_id` of its entries. */
  readonly callId: string
  readonly tool: string
  /** One line: what would be done. */
  readonly title: string
  /** A unified diff, where a file would change. */
  readonly diff?: string
  /** Arguments of the tool, as JSON. */
  readonly arguments: string
  /** SHA-256 of all that is asked, lower-case hex. */
  readonly digest: string
}

/** Decision of a person on a pending approval. */
export type ApprovalDecision = 'once' | 'always' | 'denied'

/** Calls of a home's runs that wait for a person's approval. */
export interface Approvals {
  /**
   * Decides on a pending one, and asks outside of the page where a page alone may not decide. Does nothing when it has
   * ended.
   *
   * @param digest of what was asked, as the event had it
   * @throws AppError `bad-argument` for another digest, `busy`
   */
  decide(consentId: string, digest: string, decision: ApprovalDecision): Promise<void>
  /** Oldest first. */
  pending(): readonly PendingApproval[]
}

/** The same, for the runs that ask. */
export interface ApprovalQueue extends Approvals {
  /**
   * Resolves when a person has decided: on this call, or before on every call of this tool in this context. Nothing
   * else allows it.
   *
   * @throws AppError `cancelled` when it was withdrawn: the signal aborted, or the home was closed. Nobody denied it
   * then.
   */
  ask(question: ConsentQuestion, signal: AbortSignal): Promise<ConsentAnswer>
  /** Withdraws everything that waits, and forgets what holds for further calls; nothing can be asked any more. */
  close(): void
}

/** Events of the approval queue. */
export interface ApprovalEvents {
  asked(approval: PendingApproval): void
  /** It was decided, or its run was stopped. */
  ended(approval: Pick<PendingApproval, 'key' | 'consentId'>): void
}

interface Waiting {
  readonly asked: PendingApproval
  readonly question: ConsentQuestion
  /** Aborts when it ends: a dialog about it need not be answered any more. */
  readonly ended: AbortController
  /** Without an answer it is withdrawn. */
  readonly end: (answer: ConsentAnswer | undefined) => void
}

/**
 * Opens the queue of one home. What holds for further calls is kept nowhere else: it ends with the queue.
 *
 * The window says yes, but a page can do that by itself. So what changes files is asked outside of it as well: once for
 * a conversation and a folder, and each time where a file is more than words.
 */
export function openApprovals(
  events: ApprovalEvents,
  permissions: Pick<Permissions, 'ask'>,
): ApprovalQueue {
  const waiting = new Map<string, Waiting>()
  const always = new Set<string>()
  const folders = new Set<string>()
  let isClosed = false

  function end(consentId: string, answer?: ConsentAnswer): void {
    const one = waiting.get(consentId)
    if (one === undefined) return
    waiting.delete(consentId)
    one.ended.abort()
    one.end(answer)
    events.ended({ key: one.asked.key, consentId: one.asked.consentId })
  }

  const isCovered = (question: ConsentQuestion) =>
    riskIn(question) === undefined && always.has(standing(question))

  /** The word that a person gives outside of the window on what was pressed in it. @throws AppError `busy` */
  async function wordOn(
    { question, asked, ended }: Waiting,
    wish: 'once' | 'always',
  ): Promise<PermissionAnswer | 'denied'> {
    const needed = callQuestion(
      { ...asked, conversation: parseLibraryKey(asked.key).key, preview: question.preview },
      wish,
      folders.has(folderOf(question)),
    )
    if (needed === undefined) return wish
    const answer = await permissions.ask(needed.question, ended.signal)
    return answer === undefined ? 'denied' : (needed.words[answer] ?? 'denied')
  }

  return {
    async ask(question, signal) {
      if (isClosed || signal.aborted) throw withdrawn()
      const asked = askedOf(question)
      if (isCovered(question)) return { allowed: true, as: 'always' }
      const withdraw = () => end(asked.consentId)
      signal.addEventListener('abort', withdraw)
      try {
        return await new Promise<ConsentAnswer>((resolve, reject) => {
          const close = (answer: ConsentAnswer | undefined) =>
            answer === undefined ? reject(withdrawn()) : resolve(answer)
          waiting.set(asked.consentId, {
            asked,
            question,
            ended: new AbortController(),
            end: close,
          })
          events.asked(asked)
        })
      } finally {
        signal.removeEventListener('abort', withdraw)
      }
    },

    async decide(consentId, digest, decision) {
      const one = waiting.get(consentId)
      if (one === undefined) return
      if (digest !== one.asked.digest)
        throw new AppError('bad-argument', 'This is not the call that waits: look at it again.')
      const word = decision === 'denied' ? 'denied' : await wordOn(one, decision)
      // Withdrawn meanwhile: then nobody's word counts, for this call or for others.
      if (waiting.get(consentId) !== one) return
      end(consentId, word === 'denied' ? { allowed: false } : answers[word])
      if (word === 'denied' || word === 'once') return
      folders.add(folderOf(one.question))
      if (word === 'folder') return
      always.add(standing(one.question))
      // The word is on those that wait behind it as well.
      for (const [id, { question }] of waiting) if (isCovered(question)) end(id, answers.always)
    },

    pending: () => [...waiting.values()].map(({ asked }) => asked),

    close() {
      isClosed = true
      always.clear()
      folders.clear()
      for (const id of waiting.keys()) end(id)
    },
  }
}

function withdrawn(): AppError {
  return new AppError('cancelled', 'The question was withdrawn before anybody decided.')
}

const answers: Readonly<Record<PermissionAnswer, ConsentAnswer>> = {
  once: { allowed: true, as: 'once' },
  folder: { allowed: true, as: 'once' },
  always: { allowed: true, as: 'always' },
}

function riskIn({ preview: { reach } }: ConsentQuestion): string | undefined {
  return reach?.type === 'file' ? reach.risk : undefined
}

/** Returns the key of a word for all further calls. */
function standing({ key, call, preview: { reach } }: ConsentQuestion): string {
  // Of what reaches nobody knows where, each call is asked about.
  if (reach === undefined) return JSON.stringify([key, call.tool, call.id])
  const where = reach.type === 'file' ? reach.folder : null
  // A word on messages is none on contexts that a model thinks of.
  const creates = reach.type === 'home' ? reach.creates : undefined
  return JSON.stringify([key, call.tool, where, ...(creates === undefined ? [] : [creates])])
}

/** Returns the key of a word for the changes of a folder. */
function folderOf({ key, preview: { reach } }: ConsentQuestion): string {
  return JSON.stringify([key, reach?.type === 'file' ? reach.folder : null])
}

function askedOf({ runId, key, call, preview }: ConsentQuestion): PendingApproval {
  const shown = {
    tool: call.tool,
    title: preview.title,
    ...(preview.diff === undefined ? {} : { diff: preview.diff }),
    // As they were understood: in what the model wrote, a name may stand twice.
    arguments: JSON.stringify(call.args, null, 2),
  }
  const digest = createHash('sha256').update(JSON.stringify([shown, preview.reach ?? null]))
  return {
    consentId: randomUUID(),
    key,
    runId,
    callId: call.id,
    ...shown,
    digest: digest.digest('hex'),
  }
}
