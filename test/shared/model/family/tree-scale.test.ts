import { describe, expect, it } from 'vitest'
import { familiesOf } from '../../../../src/shared/model/family/branches'
import { layLanes } from '../../../../src/shared/model/family/lanes'
import { outlineOf } from '../../../../src/shared/model/family/outline'
import { conversation, id, message } from '../../../support/outlined'

/** Files that share their first `shared` messages, and go on alone to `length`. */
function files(count: number, shared: (n: number) => number, length: (n: number) => number) {
  return Array.from({ length: count }, (_, n) =>
    outlineOf(
      conversation(
        `c${n}`,
        Array.from({ length: length(n) }, (_, at) =>
          message(at % 2 === 0 ? 'user' : 'agent', at < shared(n) ? `both ${at}` : `${n} ${at}`, {
            id: id(`L${at + 1}`),
          }),
        ),
        { created: new Date(1000 + n).toISOString() },
      ),
    ),
  )
}

// A way that is quadratic in the files would compare some hundred million messages in each of these.
describe('many relatives', () => {
  it('are laid out when all of them leave at one place', () => {
    const [family] = familiesOf(
      files(
        3000,
        () => 50,
        () => 60,
      ),
    )
    expect(family?.nodes).toHaveLength(3001)
    expect(layLanes(family ?? { root: '', nodes: [] })).toHaveLength(3001)
  })
  it('are laid out when each goes on from the one before', () => {
    const [family] = familiesOf(
      files(
        500,
        (n) => n + 2,
        (n) => n + 2,
      ),
    )
    expect(family?.nodes).toHaveLength(500)
    expect(family?.nodes.at(-1)?.keys).toHaveLength(1)
  })
  it('are laid out when all are the same', () => {
    const [family] = familiesOf(
      files(
        2000,
        () => 100,
        () => 100,
      ),
    )
    expect(family?.nodes.map((node) => [node.entries, node.keys.length])).toEqual([[100, 2000]])
  })
})
