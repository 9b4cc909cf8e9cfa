export interface Song {
  readonly id: number;
  readonly title: string;
}
