/**
 * The last part of a name that other resources return as a URL: `us-central1-f` of
 * `https://www.googleapis.com/compute/v1/projects/p/zones/us-central1-f`. Any other text is returned as it is.
 */
export const lastSegment = (value: string): string =>
  /^(?:https:\/\/[^/]+\/.*)?(?:projects\/[^/]+\/)?(?:zones|regions|locations)\/([^/]+)$/.exec(
    value,
  )?.[1] ?? value;
