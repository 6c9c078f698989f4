import { randomUUID } from 'node:crypto'
import { type ConsentAsked, type ConsentDecision, ConsentId } from '../../shared/ipc/completion'
import type { Contract } from '../../shared/ipc/contract'
import type { Emitters } from '../../shared/ipc/primitives'
import { AppError } from '../../shared/model/errors'
import type { ConsentDesk } from '../ipc/completion'
import type { ConsentAnswer } from '../llm/consent'
import type { ConsentQuestion } from '../llm/running-calls'

/** Where runs ask for a person's word, and where it is given. */
export interface Consents extends ConsentDesk {
  /**
   * Resolves when a person has decided: on this call, or before on every call of this tool in this context. Nothing else
   * allows it.
   *
   * @throws AppError `cancelled` when it was withdrawn: the signal aborted, or the home was closed. Nobody denied it then.
   */
  ask(question: ConsentQuestion, signal: AbortSignal): Promise<ConsentAnswer>
  /** Withdraws everything that waits, and forgets what holds for further calls; nothing can be asked any more. */
  close(): void
}

interface Waiting {
  readonly asked: ConsentAsked
  /** Without an answer it is withdrawn. */
  readonly end: (answer: ConsentAnswer | undefined) => void
}

/** Keeps the questions of one home. What holds for further calls is kept nowhere else: it ends with this. */
export function openConsents(
  emit: Pick<Emitters<Contract['completion']>, 'consentAsked' | 'consentEnded'>,
): Consents {
  const waiting = new Map<string, Waiting>()
  const always = new Set<string>()
  let isClosed = false

  function end(consentId: string, answer?: ConsentAnswer): void {
    const one = waiting.get(consentId)
    if (one === undefined) return
    waiting.delete(consentId)
    one.end(answer)
    emit.consentEnded({ key: one.asked.key, consentId: one.asked.consentId })
  }

  return {
    async ask(question, signal) {
      if (isClosed || signal.aborted) throw withdrawn()
      const asked = askedOf(question)
      if (always.has(standing(asked))) return { allowed: true, as: 'always' }
      const withdraw = () => end(asked.consentId)
      signal.addEventListener('abort', withdraw)
      try {
        return await new Promise<ConsentAnswer>((resolve, reject) => {
          const close = (answer: ConsentAnswer | undefined) =>
            answer === undefined ? reject(withdrawn()) : resolve(answer)
          waiting.set(asked.consentId, { asked, end: close })
          emit.consentAsked(asked)
        })
      } finally {
        signal.removeEventListener('abort', withdraw)
      }
    },

    decide(consentId, decision) {
      const one = waiting.get(consentId)
      if (one === undefined) return
      end(consentId, answers[decision])
      if (decision !== 'always') return
      always.add(standing(one.asked))
      // The word is on those that wait behind it as well.
      for (const [id, { asked }] of waiting)
        if (standing(asked) === standing(one.asked)) end(id, answers.always)
    },

    pending: () => [...waiting.values()].map(({ asked }) => asked),

    close() {
      isClosed = true
      always.clear()
      for (const id of waiting.keys()) end(id)
    },
  }
}

function withdrawn(): AppError {
  return new AppError('cancelled', 'The question was withdrawn before anybody decided.')
}

const answers: Readonly<Record<ConsentDecision, ConsentAnswer>> = {
  once: { allowed: true, as: 'once' },
  always: { allowed: true, as: 'always' },
  denied: { allowed: false },
}

/** What a word for all further calls is on. */
function standing({ key, tool }: ConsentAsked): string {
  return JSON.stringify([key, tool])
}

function askedOf({ runId, key, call, preview }: ConsentQuestion): ConsentAsked {
  return {
    consentId: ConsentId.parse(randomUUID()),
    key,
    runId,
    callId: call.id,
    tool: call.tool,
    title: preview.title,
    ...(preview.diff === undefined ? {} : { diff: preview.diff }),
    // As they were understood: in what the model wrote, a name may stand twice.
    arguments: JSON.stringify(call.args, null, 2),
  }
}
