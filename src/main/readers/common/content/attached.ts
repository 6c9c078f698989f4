/** Returns pictures and parts of unknown kinds as metadata; nothing where there are none. */
export function attachmentFields({
  images,
  others,
}: {
  readonly images: readonly unknown[]
  readonly others: readonly unknown[]
}): { readonly images?: readonly unknown[]; readonly attachments?: readonly unknown[] } {
  return {
    ...(images.length === 0 ? {} : { images }),
    ...(others.length === 0 ? {} : { attachments: others }),
  }
}
