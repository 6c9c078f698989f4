import type { WorkerAnswer } from './worker-answers'

/**
 * Answers one request in a worker: without an answer where the work, or posting what came of it, throws. An error that left
 * the worker would end it for all requests.
 */
export function answerRequest<Answer>(
  id: number,
  work: () => Answer | undefined,
  post: (message: WorkerAnswer<Answer>) => void,
): void {
  try {
    const answer = work()
    post(answer === undefined ? { id } : { id, answer })
  } catch {
    // What is nested too deep for a message throws as it is posted.
    post({ id })
  }
}
