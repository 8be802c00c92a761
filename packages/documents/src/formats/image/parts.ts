/** The raw parts of a picture's header. */
export interface ImageParts {
  width?: number;
  height?: number;
  /** Pictures in the file, where it may have several. */
  pictures?: number;
  /** A TIFF structure with the tags of Exif. */
  exif?: Buffer;
  /** XML. */
  xmp?: Buffer;
  /** Records of IPTC-IIM. */
  iptc?: Buffer;
  /** Texts by the names that programs give them; a comment has none. */
  texts: [name: string, text: string][];
}

/** Texts and characters of each that are kept. */
export const MAX_TEXTS = 30;
export const MAX_TEXT_LENGTH = 4000;

/** The metadata of a picture; empty where there is none. */
export interface ImageFacts {
  title: string;
  description: string;
  keywords: readonly string[];
  author: string;
  copyright: string;
  /** As ISO 8601. */
  taken: string;
  camera: string;
}

export const noFacts: ImageFacts = {
  title: '',
  description: '',
  keywords: [],
  author: '',
  copyright: '',
  taken: '',
  camera: '',
};
