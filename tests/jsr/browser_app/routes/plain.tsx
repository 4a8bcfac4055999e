export default () => <p>no islands</p>;
