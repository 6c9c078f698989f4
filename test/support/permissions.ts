import { openPermissions, type Permissions } from '../../src/main/permission/permissions'
import type { NativeQuestion } from '../../src/main/permission/question'
import type { SettingsApproval } from '../../src/main/settings/base/approval'

/** Somebody who answers what main asks outside of the page, by a script. */
export interface ScriptedPerson {
  readonly permissions: Permissions
  /** What was asked, in order. */
  readonly asked: readonly NativeQuestion[]
  /** The labels of the next answers; what is not in a question, and what comes after the last, refuses. */
  next(...labels: readonly string[]): void
  /** What happens while the next question is open. */
  meanwhile(act: () => unknown): void
  /** Touches the window no more: until then they click before each question, as a person does. */
  leave(): void
}

/** A person who refuses everything that they were not told to allow. */
export function scriptedPerson(): ScriptedPerson {
  const asked: NativeQuestion[] = []
  const labels: string[] = []
  let meanwhile: () => unknown = () => undefined
  let isThere = true
  const asking = openPermissions(async (question) => {
    asked.push(question)
    const act = meanwhile
    meanwhile = () => undefined
    await act()
    const at = question.answers.indexOf(labels.shift() ?? '')
    return at < 0 ? undefined : at
  })
  const clicks = () => {
    if (isThere) asking.acted()
  }
  const permissions: Permissions = {
    ...asking,
    ask(...given) {
      clicks()
      return asking.ask(...given)
    },
    require(...given) {
      clicks()
      return asking.require(...given)
    },
  }
  return {
    permissions,
    asked,
    next: (...more) => void labels.push(...more),
    meanwhile(act) {
      meanwhile = act
    },
    leave() {
      isThere = false
    },
  }
}

/** For tests of something else: everything is allowed. */
export const allowed: SettingsApproval = {
  folders: async () => undefined,
  address: async () => undefined,
  key: async () => undefined,
}

/** For tests of something else: the last answer, which allows the most. */
export const allowedAll: Pick<Permissions, 'ask'> = {
  ask: async ({ answers }) => answers.length - 1,
}
