import type { Endpoint } from './model-choice'
import type { ModelDesk } from './models-desk'

/** The window of an endpoint's model in tokens, as its provider's list told it last; asks nobody. Never rejects. */
export async function knownContextLength(
  desk: Pick<ModelDesk, 'list'>,
  { model, baseUrl }: Pick<Endpoint, 'model' | 'baseUrl'>,
): Promise<number | undefined> {
  try {
    const { models } = await desk.list(baseUrl.value, 'kept')
    return models.find(({ id, alias }) => id === model.value || alias === model.value)
      ?.contextLength
  } catch {
    return undefined // An address that no list is kept of: nothing is known of its models.
  }
}
